// Writes every record as one line of JSON, whole or not at all.
#pragma once

#include <fcntl.h>

#include <string>
#include <utility>

#include <gossip/core/error.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/observer/detail/line_file.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// Each line reaches the file before the run goes on. Throws input_error where the file cannot be
/// opened; gossip::error where a line cannot be written (a full disk), of which nothing stays then.
class json_lines {
 public:
  explicit json_lines(std::string path) : file_(std::move(path), O_TRUNC) {}

  /// Behind the lines that are there: for a run that goes on from a state, after which lines are
  /// cut off.
  static json_lines resumed(std::string path) {
    return json_lines(detail::line_file(std::move(path), O_APPEND));
  }

  void take(record const &r);

  /// Throws input_error where the lines before the state are not there.
  void name_state(state_visitor const &visit) {
    file_.name_state(visit, ", kept by json_lines::resumed");
  }

 private:
  explicit json_lines(detail::line_file file) : file_(std::move(file)) {}

  detail::line_file file_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/json_lines.ipp>
#endif
