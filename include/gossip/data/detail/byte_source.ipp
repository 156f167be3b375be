// Definitions of data/byte_source.hpp.
#pragma once

#include <gossip/data/byte_source.hpp>

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE byte_source::byte_source(std::string path) : path_(std::move(path)) {
  open();
  refill();
  gzipped_ = input_.avail_in >= 2 && buffer_[0] == 0x1f && buffer_[1] == 0x8b;
  if (gzipped_ && inflateInit2(&input_, 15 + 16) != Z_OK)
    throw error(path_ + ": zlib could not be started");
}

GOSSIP_INLINE shared_bytes byte_source::mapped() const {
  std::size_t const size = static_cast<std::size_t>(file_size_);
  struct stat now{};
  int const file = ::fileno(file_.get());
  if (gzipped_ || is_stream_ || size == 0 || size != file_size_) return {};
  if (::fstat(file, &now) != 0 || static_cast<std::uint64_t>(now.st_size) != file_size_)
    throw input_error(path_, std::to_string(file_size_) + " bytes as a moment ago",
                      std::to_string(now.st_size) + " bytes");
  void *const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) return {};
  std::shared_ptr<void const> owner(
      address, [size](void const *all) { ::munmap(const_cast<void *>(all), size); });
  detail::content_of_file content;
  content.add(address, size);
  content.end(path_);
  return {{static_cast<std::uint8_t const *>(address), size}, std::move(owner)};
}

GOSSIP_INLINE void byte_source::open() {
  namespace fs = std::filesystem;
  std::error_code code;
  fs::file_status const status = fs::status(path_, code);
  if (fs::is_directory(status)) throw input_error(path_, "a file", "a folder");
  if (!fs::exists(status)) throw input_error(path_, "a file", "no file of this name");
  file_.reset(std::fopen(path_.c_str(), "rb"));
  if (!file_) throw input_error(path_, "a readable file", std::generic_category().message(errno));
  is_stream_ = !fs::is_regular_file(status);
  if (is_stream_) return;
  file_size_ = fs::file_size(path_, code);
  if (code) throw input_error(path_, "a readable file", code.message());
}

GOSSIP_INLINE void byte_source::refill() {
  std::size_t const count = std::fread(buffer_.get(), 1, buffer_bytes, file_.get());
  if (count == 0 && std::ferror(file_.get()))
    throw input_error(path_, "a readable file", "a read error");
  input_.next_in = buffer_.get();
  input_.avail_in = static_cast<uInt>(count);
}

GOSSIP_INLINE std::size_t byte_source::read_plain(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    if (input_.avail_in == 0) refill();
    if (input_.avail_in == 0) break;
    std::size_t const count = std::min<std::size_t>(out.size() - done, input_.avail_in);
    std::copy_n(input_.next_in, count, out.data() + done);
    input_.next_in += count;
    input_.avail_in -= static_cast<uInt>(count);
    done += count;
  }
  position_ += done;
  return done;
}

GOSSIP_INLINE std::size_t byte_source::read_gzip(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    if (input_.avail_in == 0) refill();
    if (member_ended_) {
      if (input_.avail_in == 0) break;
      inflateReset(&input_);  // gzip members may follow one another
      member_ended_ = false;
    }
    std::size_t const room = std::min(out.size() - done, buffer_bytes);
    input_.next_out = out.data() + done;
    input_.avail_out = static_cast<uInt>(room);
    bool const at_end = input_.avail_in == 0;
    int const code = inflate(&input_, Z_NO_FLUSH);
    std::size_t const count = room - input_.avail_out;
    done += count;
    position_ += count;
    judge(code, at_end && count == 0);
  }
  return done;
}

GOSSIP_INLINE void byte_source::judge(int code, bool starved) {
  if (code == Z_STREAM_END) {
    member_ended_ = true;
  } else if (code == Z_MEM_ERROR) {
    throw error(path_ + ": not enough memory to unpack");
  } else if (code != Z_OK && code != Z_BUF_ERROR) {
    fail(position_, "intact gzip data", input_.msg ? input_.msg : "damaged data");
  } else if (starved) {
    fail(position_, "more gzip data", "the end of the file");
  }
}

GOSSIP_INLINE shared_bytes all_bytes(std::string const &path) {
  byte_source file(path);
  if (shared_bytes all = file.mapped(); !all.bytes.empty()) return all;
  auto const copy = std::make_shared<std::vector<std::uint8_t>>();
  constexpr std::size_t block = std::size_t{1} << 20;
  for (std::size_t got = block; got == block;) {
    copy->resize(copy->size() + block);
    got = file.read(std::span(*copy).last(block));
    copy->resize(copy->size() - block + got);
  }
  return {*copy, copy};
}

}  // namespace gossip
