// The fields of a sweep: their values, the combinations of these, and their names in tables.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "configuration.hpp"
#include "schema.hpp"

namespace simulate {

/// A field that a sweep varies, or several at once: objects that are merged into the configuration.
struct swept_field {
  std::string pointer;  // "/optimizer/rate"; "": of the whole configuration
  std::vector<json> values;
  bool paired = false;  // all that are go through their values together

  /// The last part of the pointer: "rate"; the part before it where that is "kind"; of the whole
  /// configuration "name".
  std::string name() const;
  bool is_seed() const { return pointer.ends_with("/seed"); }
};

/// The fields of "sweep" in a configuration file, {"/seed": [1, 2], "pair": {...}, ...} or null,
/// and of the options --sweep and --pair, "/seed=1..5" or "/optimizer/rate=0.1,0.03"; an option
/// takes the place of the file's. A field that contains another comes before it. Throws
/// input_error.
std::vector<swept_field> swept_fields(std::string const &file, json const &sweep,
                                      std::vector<std::string> const &options,
                                      std::vector<std::string> const &pairs);

/// The same as a configuration file has it.
json to_json(std::vector<swept_field> const &fields);

/// Values of all fields for each run, the last field's changing fastest; paired fields change with
/// the first of them.
std::vector<swept_values> combinations(std::vector<swept_field> const &fields);

/// A value as people read it: text without quotes, a policy by its kind, objects by their name.
std::string text_of(json const &value);

/// The folder of run k of `count`, counted from 0: "07-seed=2,rate=0.1".
std::string folder_name(std::size_t k, std::size_t count, std::vector<swept_field> const &fields,
                        swept_values const &values);

/// The files that a sweep writes, as far as they are in a folder: its own and those of the runs
/// that its sweep.json describes, and of no other folder; paths within it.
std::vector<std::string> files_of_sweep(std::string const &folder);

}  // namespace simulate
