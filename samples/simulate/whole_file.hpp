// Files that are there as a whole or not at all, and the folders that they are in.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace simulate {

/// Throws input_error with the system's reason, write_error where the disk is full or broken, which
/// is no fault of the input.
[[noreturn]] void refuse_to_write(std::string const &path, int code);

/// Throws as refuse_to_write does.
void make_folder(std::string const &path);

/// All of it or nothing: written beside the file, forced to the disk, renamed. Throws as
/// make_folder does.
void write_whole(std::string const &path, std::string const &text);

/// Each whole, and earlier files stay as they were until all are written beside them. Pairs of path
/// and text; throws as make_folder does.
void write_all(std::vector<std::pair<std::string, std::string>> const &files);

/// The longest part of a path that is there, absolute.
std::string existing_part(std::string const &path);

/// Throws input_error where a folder, or the one in which it would be made, is none that this
/// process may write to; makes nothing.
void require_writable(std::string const &folder);

/// A file that is written at the end of a run, whose room on the disk is taken at the beginning: a
/// disk that fills on the way does not cost it.
class reserved_file {
 public:
  /// Throws as refuse_to_write does.
  reserved_file(std::string path, std::size_t bytes);
  reserved_file(reserved_file const &) = delete;
  reserved_file &operator=(reserved_file const &) = delete;
  /// A file that was not written goes.
  ~reserved_file();

  /// All of it or nothing, once.
  void write(std::string const &text);

 private:
  std::string path_, beside_;  // beside: the name until then, where it needs one
  int file_;
};

}  // namespace simulate
