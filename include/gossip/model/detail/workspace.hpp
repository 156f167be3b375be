// The working memory of one node: parts of each chunk of its batch, then parts that chunks share.
#pragma once

#include <cstddef>
#include <cstdint>

#include <gossip/model/detail/layout.hpp>
#include <gossip/model/layer/layer.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip::detail {

/// Of a chunk: values of all steps, gradients, scratch, numbers of the loss; then bytes saved for
/// backward, labels and choices. `WholeBatch`: chunks go through the steps side by side, and may do
/// so on several cores where workers have kernels of their own.
template <class T, class Layout, tensor_shape Sample, bool WholeBatch, scratch_use Use>
struct workspace {
  std::size_t lanes, chunks;

  static constexpr std::size_t scratch_values = Layout::template scratch<Use>;

  static constexpr std::size_t values = Sample.size() + Layout::value_at[Layout::depth] +
                                        Layout::gradients.size + scratch_values +
                                        Layout::kept_at[Layout::depth] + 3;

  constexpr std::size_t chunk_bytes() const {
    return lanes * values * sizeof(T) + saved_bytes() + 2 * label_bytes() + 64;
  }
  constexpr std::size_t shared_values() const {
    return (Layout::shared_before(Layout::depth, chunks) + 15) / 16 * 16;
  }
  constexpr std::size_t bytes() const {
    if constexpr (!WholeBatch) return chunk_bytes();
    std::size_t const apart = shares_batches(Use) ? chunks - 1 : 0;
    std::size_t const parts = apart * Layout::parameters_at_once;
    return chunks * chunk_bytes() + (shared_values() + parts) * sizeof(T);
  }

  /// The same places of the chunk's own part.
  constexpr strided<std::byte> of_chunk(strided<std::byte> ws, std::size_t chunk) const {
    return ws + chunk * chunk_bytes();
  }
  constexpr strided<T> value(strided<std::byte> ws, std::size_t row) const {
    return {reinterpret_cast<T *>(ws.data) + row * lanes, ws.stride / sizeof(T)};
  }
  constexpr strided<T> inputs(strided<std::byte> ws) const { return value(ws, 0); }
  /// Value 0 is the sample, value i + 1 what step i writes.
  constexpr strided<T> of_value(strided<std::byte> ws, std::size_t v) const {
    return value(ws, v == 0 ? 0 : Sample.size() + Layout::value_at[v - 1]);
  }
  constexpr strided<T> scores(strided<std::byte> ws) const { return of_value(ws, Layout::depth); }
  constexpr strided<T> gradient(strided<std::byte> ws, std::size_t offset) const {
    return value(ws, Sample.size() + Layout::value_at[Layout::depth] + offset);
  }
  constexpr strided<T> gradient_of(strided<std::byte> ws, std::size_t v) const {
    return gradient(ws, Layout::gradients.offset[v]);
  }
  constexpr strided<T> scratch(strided<std::byte> ws) const {
    if constexpr (scratch_values == 0) return {};
    return gradient(ws, Layout::gradients.size);
  }
  constexpr strided<T> kept(strided<std::byte> ws, std::size_t i) const {
    return gradient(ws, Layout::gradients.size + scratch_values + Layout::kept_at[i]);
  }
  constexpr strided<T> loss_part(strided<std::byte> ws, std::size_t part) const {
    return value(ws, values - 3 + part);
  }
  constexpr strided<std::uint8_t> saved(strided<std::byte> ws, std::size_t i) const {
    return {reinterpret_cast<std::uint8_t *>(ws.data + lanes * values * sizeof(T)) +
                Layout::saved_at[i] * lanes,
            ws.stride};
  }
  constexpr strided<std::uint16_t> labels(strided<std::byte> ws) const {
    std::size_t const before = lanes * values * sizeof(T) + saved_bytes();
    return {reinterpret_cast<std::uint16_t *>(ws.data + before), ws.stride / 2};
  }
  constexpr strided<std::uint16_t> choices(strided<std::byte> ws) const {
    return labels(ws) + (lanes + 31) / 32 * 32;
  }

  /// The values that the chunks of a batch share at step i.
  constexpr strided<T> shared(strided<std::byte> ws, std::size_t i) const {
    return value_behind(ws, Layout::shared_before(i, chunks));
  }
  /// Gradients of the parameters at hand by a chunk other than the first, on several cores.
  constexpr strided<T> part(strided<std::byte> ws, std::size_t chunk) const {
    return value_behind(ws, shared_values() + (chunk - 1) * Layout::parameters_at_once);
  }

 private:
  constexpr std::size_t saved_bytes() const {
    return (Layout::saved_at[Layout::depth] * lanes + 63) / 64 * 64;
  }
  constexpr std::size_t label_bytes() const { return (2 * lanes + 63) / 64 * 64; }
  constexpr strided<T> value_behind(strided<std::byte> ws, std::size_t number) const {
    return {reinterpret_cast<T *>(ws.data + chunks * chunk_bytes()) + number,
            ws.stride / sizeof(T)};
  }
};

}  // namespace gossip::detail
