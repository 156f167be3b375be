// Bytes outside of memory, for rows that memory has no room for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gossip {

/// Bytes to be moved between memory and a store. Address, place and size are multiples of
/// row_store::page.
struct store_request {
  bool writes = false;
  std::uint64_t at = 0;  ///< place of the first byte in the store
  std::span<std::byte> memory{};
};

/// A number of bytes, which are 0 at first. Functions may be called from several threads.
class row_store {
 public:
  static constexpr std::size_t page = 4096;
  /// Called once, from any thread, when all requests of a call of begin() are done; failure: "", or
  /// why one of them could not be carried out.
  using completion = std::function<void(std::string const &failure)>;

  row_store() = default;
  row_store(row_store const &) = delete;
  row_store &operator=(row_store const &) = delete;
  virtual ~row_store() = default;

  /// Begins requests, which are carried out in any order; their memory stays until they are done.
  /// Where it throws, it has kept none of them and does not call done.
  virtual void begin(std::vector<store_request> requests, completion done) = 0;

  /// The kind of the store in a few words, for reports.
  virtual std::string name() const = 0;
  /// Whether memory is to be filled with NaN when its rows leave it, as tests do.
  virtual bool spoils() const { return false; }
};

/// Makes a store of so many bytes.
using store_maker = std::function<std::unique_ptr<row_store>(std::uint64_t bytes)>;

}  // namespace gossip
