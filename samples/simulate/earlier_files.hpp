// Files of an earlier run, set aside while a new run is made in their place.
#pragma once

#include <string>
#include <vector>

#include "schema.hpp"

namespace simulate {

/// Those of the names that are in a folder.
std::vector<std::string> files_in(std::string const &folder, std::vector<std::string> const &names);

/// The files that runs and dry runs write, as far as they are in a folder; paths within it.
std::vector<std::string> files_of_run(std::string const &folder);
/// The models that a run exports at its end, as far as they are in a folder.
std::vector<std::string> models_of_run(std::string const &folder);
std::vector<std::string> files_of_plan(std::string const &folder);

/// Moves files to earlier.part in their folder. They come back where the new run is refused, and go
/// where it has ended. A process that is killed between leaves them there: the next run that takes
/// the place sets aside nothing else, for what lies in the place then is no whole run.
class earlier_files {
 public:
  /// names: paths within the folder. Throws as make_folder does, with all files where they were.
  earlier_files(std::string folder, std::vector<std::string> const &names);

  /// Removes the files at these paths, which are the new run's, and moves the earlier ones back.
  void restore(std::vector<std::string> const &names) const;

  /// The new run has taken the place.
  void remove() const;

 private:
  std::string place() const { return folder_ + "/earlier.part"; }

  std::string folder_;
};

/// The JSON in a file; discarded where there is none.
json read_json(std::string const &path);

/// The members, by JSON pointer, that one object has and the other has not or has with a value of
/// its own.
std::vector<std::string> differing(json const &one, json const &other);

/// What an earlier run in the folder differs in, for who overwrites it: members of its
/// configuration, files, the program and the machine, by name; "" where there is none.
std::string difference_from_earlier(std::string const &folder, json const &config,
                                    json const &identity);

/// Removes files at paths within a folder, and folders within it that are empty then.
void remove_files(std::string const &folder, std::vector<std::string> const &names);

}  // namespace simulate
