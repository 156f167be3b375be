// The files that a result depends on, each with a digest of its content, made while it is read.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/hash.hpp>

namespace gossip {

/// A file that was read to its end. Bytes and digest are those of the content, which of a gzipped
/// file is what it unpacks to.
struct file_content {
  std::string path;
  std::uint64_t bytes = 0;
  std::uint64_t digest = 0;
  friend bool operator==(file_content const &, file_content const &) = default;
};

/// A list of the files that this thread reads while the list lives, in the order in which each was
/// read for the first time. Readers add to it by themselves, whatever called them, so that no file
/// of a run can be forgotten; without a list they hash nothing. Lists may lie within each other:
/// all of them receive each file.
class files_read {
 public:
  files_read() : outer_(std::exchange(innermost_, this)) {}
  files_read(files_read const &) = delete;
  files_read &operator=(files_read const &) = delete;
  ~files_read() { innermost_ = outer_; }

  std::vector<file_content> const &files() const { return files_; }

  /// True where a list of this thread waits for files.
  static bool wanted() { return innermost_ != nullptr; }

  /// Adds a file to the lists of this thread. Throws input_error where the content is not that
  /// which was read under this path before.
  static void add(file_content const &one) {
    for (files_read *list = innermost_; list; list = list->outer_) list->take(one);
  }

 private:
  void take(file_content const &one) {
    for (file_content const &known : files_) {
      if (known.path != one.path) continue;
      if (known == one) return;
      throw input_error(one.path, "a file that does not change while a run begins",
                        "different content at the second reading");
    }
    files_.push_back(one);
  }

  // The one thing that readers share with who runs them: a parameter for it would have to pass
  // through every topology, data set and clock, and through those that users write.
  static inline thread_local files_read *innermost_ = nullptr;

  files_read *outer_;
  std::vector<file_content> files_;
};

namespace detail {

/// Hashes what a reader reads of a file, if a list wants it, and adds the file at its end.
class content_of_file {
 public:
  void add(void const *data, std::size_t size) {
    if (wanted_) hash_.add(data, size);
  }
  /// The end of the file has been reached: once, or again.
  void end(std::string const &path) {
    if (std::exchange(wanted_, false)) files_read::add({path, hash_.bytes(), hash_.value()});
  }

 private:
  bool wanted_ = files_read::wanted();
  running_hash hash_;
};

}  // namespace detail

}  // namespace gossip
