// The serial backend, taken for a device that keeps launches and counts what it does. Kept launches
// are repeated as they were, so that whatever changes from one time to the next and is not in the
// device's memory shows in the result.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <gossip/backend/serial.hpp>
#include <gossip/op/product_layers.hpp>

namespace gossip::test {

struct device_activity {
  std::size_t launches = 0, replays = 0, uploads = 0, downloads = 0, waits = 0, buffers = 0;
};

template <template <class> class Layers, class Device>
class launching_worker;

struct recording_device : serial {
  static constexpr bool on_device = true;
  using worker = launching_worker<op::plain_layers, recording_device>;

  /// Activity of all devices since it was set to nothing.
  static inline device_activity done;

  template <class T>
  struct buffer : host_buffer<T> {
    buffer() = default;
    explicit buffer(std::size_t size) : host_buffer<T>(size) { ++done.buffers; }
  };

  struct recording {
    std::vector<std::function<void()>> launches;
  };

  template <class F>
  void launch(std::size_t count, F f) const {
    auto const loop = [count, f] { serial{}.launch(count, f); };
    if (*recorded_) (*recorded_)->launches.push_back(loop);
    ++done.launches;
    loop();
  }
  template <class F>
  void replay(recording &kept, F f) const {
    if (kept.launches.empty()) {
      *recorded_ = &kept;
      f();
      *recorded_ = nullptr;
    } else {
      ++done.replays;
      for (auto const &again : kept.launches) again();
    }
  }

  template <class T>
  void upload(T *to, T const *from, std::size_t count) const {
    ++done.uploads;
    serial::upload(to, from, count);
  }
  template <class T>
  void download(T *to, T const *from, std::size_t count) const {
    ++done.downloads;
    serial::download(to, from, count);
  }
  static void wait() { ++done.waits; }

 private:
  std::shared_ptr<recording *> recorded_ = std::make_shared<recording *>(nullptr);
};

/// Every loop and product is a launch, over all nodes.
template <template <class> class Layers, class Device>
class launching_worker : public Layers<launching_worker<Layers, Device>> {
 public:
  static constexpr std::size_t lane_step = 1;

  explicit launching_worker(Device const &backend) : backend_(backend) {}

  template <class F>
  void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
    backend_.launch(k * rows * lanes, [=](std::size_t index) {
      f(index / lanes / rows, index / lanes % rows, index % lanes);
    });
  }
  template <class T>
  void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
            matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
    backend_.launch(1, [=](std::size_t) { serial::worker{}.gemm<T>(k, s, a, b, beta, c); });
  }

 private:
  Device backend_;
};

/// The same with convolutions as products, as a GPU has them.
struct product_device : recording_device {
  using worker = launching_worker<op::product_layers, recording_device>;
};

}  // namespace gossip::test
