// When copies to a device, its work and copies back would be under way, if each took the time that
// a model says: a device that keeps what its streams are given, and its timeline afterwards.
#include <gossip/backend/serial.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/op/product_layers.hpp>
#include <gossip/simulator/cpu_offload.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "../catch.hpp"
#include "small_network.hpp"

using namespace gossip;

namespace {

/// What a part of a device is given: copies in, kernels, copies out; or the host waits.
enum class part : std::size_t { in, kernels, out, wait };
struct work {
  part of;
  double amount;  // bytes, or threads of kernels
};
using stream = std::vector<work>;

/// The serial backend, which keeps what each of its streams is given.
struct watched_device : serial {
  static constexpr bool on_device = true;

  std::shared_ptr<std::vector<std::shared_ptr<stream>>> streams =
      std::make_shared<std::vector<std::shared_ptr<stream>>>();
  std::shared_ptr<stream> own = std::make_shared<stream>();

  watched_device own_stream() const {
    watched_device other = *this;
    other.own = std::make_shared<stream>();
    streams->push_back(other.own);
    return other;
  }

  class worker;

  template <class T>
  void begin_upload(T *to, T const *from, std::size_t count) const {
    own->push_back({part::in, static_cast<double>(count * sizeof(T))});
    serial::begin_upload(to, from, count);
  }
  template <class T>
  void begin_download(T *to, T const *from, std::size_t count) const {
    own->push_back({part::out, static_cast<double>(count * sizeof(T))});
    serial::begin_download(to, from, count);
  }
  void wait() const { own->push_back({part::wait, 0}); }
};

/// Work is what products do.
class watched_device::worker : public op::product_layers<watched_device::worker> {
 public:
  static constexpr std::size_t lane_step = 1;

  explicit worker(watched_device const &backend) : given_(backend.own) {}

  template <class F>
  void for_each(std::size_t k, std::size_t rows, std::size_t lanes, F f) const {
    serial::worker{}.for_each(k, rows, lanes, f);
  }
  template <class T>
  void gemm(std::size_t k, gemm_shape s, matrix_operand<strided<T const>> a,
            matrix_operand<strided<T const>> b, T beta, matrix_operand<strided<T>> c) const {
    given_->push_back({part::kernels, static_cast<double>(k * s.m * s.n * s.k)});
    serial::worker{}.gemm<T>(k, s, a, b, beta, c);
  }

 private:
  std::shared_ptr<stream> given_;
};

/// What is given between two waits.
using piece = std::vector<work>;

double total(std::vector<piece> const &pieces, part of) {
  double sum = 0;
  for (piece const &one : pieces)
    for (work const &w : one) sum += w.of == of ? w.amount : 0;
  return sum;
}

/// Seconds until all pieces are done by so many threads, of which each takes the next piece when
/// it has waited for its last. Each part of the device does one thing at a time, in the order in
/// which it was given.
double seconds(std::vector<piece> const &pieces, std::size_t threads,
               std::array<double, 3> const &each) {
  std::vector<double> waited(threads, 0.0);
  std::array<double, 3> free{};
  for (piece const &one : pieces) {
    double &reached = *std::ranges::min_element(waited);
    for (work const &w : one) {
      auto const p = static_cast<std::size_t>(w.of);
      reached = free[p] = std::max(reached, free[p]) + w.amount * each[p];
    }
  }
  return *std::ranges::max_element(free);
}

/// The pieces of one round of a network, whose rows lie on the host.
std::vector<piece> pieces_of_a_round(std::size_t nodes, std::size_t threads) {
  watched_device const device;
  simulator network{random_regular{.nodes = nodes, .degree = 4},
                    cpu_offload(test::small_model{}, device, std::size_t{1} << 30),
                    sgd{.rate = 0.1}, d_psgd{}, cpu{.threads = threads}};
  network.run({.seed = 3, .batch = 16, .stop = rounds{1}}, split(test::small_images(), iid{}));
  CHECK(device.streams->size() == threads);
  std::vector<piece> all(1);
  for (auto const &one : *device.streams)
    for (work const &w : *one)
      if (w.of != part::wait)
        all.back().push_back(w);
      else if (!all.back().empty())
        all.emplace_back();
  all.pop_back();
  return all;
}

}  // namespace

TEST_CASE("copies to and from a device overlap with its work", "[engine]") {
  constexpr std::size_t nodes = 192, threads = 3;
  auto const pieces = pieces_of_a_round(nodes, threads);
  constexpr double rows = nodes * row_length<test::small_model> * sizeof(float);
  CHECK(total(pieces, part::in) == rows);  // each goes once and comes once, with its loss
  CHECK(total(pieces, part::out) == rows + nodes * sizeof(double));

  // Copies each way take `share` of the work.
  auto const timeline = [&](double share) {
    double const work = total(pieces, part::kernels);
    double const in = share / total(pieces, part::in), out = share / total(pieces, part::out);
    return seconds(pieces, threads, {in, 1 / work, out});
  };
  CHECK(timeline(0.0) == Approx(1.0));
  CHECK(timeline(0.4) < 1.03);
  CHECK(timeline(0.8) < 1.05);
  CHECK(timeline(2.0) < 2.0 / 0.9);
  CHECK(timeline(2.0) > 2.0);
  double const work = total(pieces, part::kernels);
  double const in = 0.4 / total(pieces, part::in), out = 0.4 / total(pieces, part::out);
  CHECK(seconds(pieces, 1, {in, 1 / work, out}) == Approx(1.8));  // one stream overlaps nothing
}
