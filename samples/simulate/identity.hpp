// The identity of a run: all that its result depends on. The configuration is in config.json, the
// rest in identity.json: the program, the content of the files that were read, and apart from these
// the facts of the machine on which bits depend.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gossip/core/files_read.hpp>

#include "ranks.hpp"
#include "schema.hpp"

namespace simulate {

/// {"gossip", "commit", "files": [{"path", "bytes", "digest"}], "machine": {"processor", ...}} of a
/// run of this process that has read these files.
json identity_of(std::span<gossip::file_content const> files);

/// On all ranks, before arguments are acted upon: throws input_error where a rank has other
/// arguments than rank 0, or is another program.
void require_same_arguments(std::optional<ranks> const &world, std::span<char const *const> words);

/// On all ranks, before folder, rows or plan are made: throws input_error where a rank has read
/// other content than rank 0. Files that rank 0 has read for all are passed over.
void require_same_files(std::optional<ranks> const &world, gossip::files_read const &read);

/// Compares runs that are there with what this process would make of the same configuration.
class identity_check {
 public:
  /// elsewhere: runs of another machine are no fault.
  identity_check(std::string option, bool elsewhere)
      : option_(std::move(option)), elsewhere_(elsewhere) {}

  /// identity: of the run in this folder. Throws input_error that names the program, the file or
  /// the fact of the machine that is another one here.
  void require_same(std::string const &folder, json const &identity);

  /// The machines of the runs that have been compared, where one is not this one; else none.
  std::vector<json> const &other_machines() const { return others_; }

 private:
  gossip::file_content const &content_of(std::string const &path);

  std::string option_;
  bool elsewhere_;
  std::vector<json> others_;
  std::map<std::string, gossip::file_content> contents_;
};

}  // namespace simulate
