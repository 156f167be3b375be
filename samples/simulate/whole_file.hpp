// Files that are there as a whole or not at all, and the folders that they are in.
#pragma once

#include <string>

namespace simulate {

/// Throws input_error with the system's reason, gossip::error where the disk is full or broken,
/// which is no fault of the input.
[[noreturn]] void refuse_to_write(std::string const &path, int code);

/// Throws as refuse_to_write does.
void make_folder(std::string const &path);

/// All of it or nothing: written beside the file, forced to the disk, renamed. Throws as
/// make_folder does.
void write_whole(std::string const &path, std::string const &text);

}  // namespace simulate
