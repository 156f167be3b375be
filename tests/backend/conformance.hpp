// The laws of a backend (gossip/backend/backend.hpp): loops, products, layers, mixing, and the
// verbs of a device. A backend joins by one call of check_backend.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gossip/backend/backend.hpp>
#include <gossip/op/mix.hpp>

#include "../catch.hpp"
#include "../op/mixing.hpp"
#include "layers.hpp"
#include "products.hpp"

namespace gossip::test {

inline bool denormals_are_kept() {
  double volatile tiny = std::numeric_limits<double>::min();
  double volatile smaller = tiny / 2;
  return smaller > 0.0;
}

template <backend B>
void check_loops(B const &backend) {
  for (std::size_t const count :
       {0, 1, 2, 3, 17, 1000}) {  // every index once, by a worker of its own
    std::vector<std::atomic<int>> visits(count), busy(backend.workers());
    std::atomic<int> strangers{0}, collisions{0};
    backend.for_each(count, [&](std::size_t worker, std::size_t i) {
      ++visits[i];
      if (worker >= busy.size()) return void(++strangers);
      collisions += ++busy[worker] != 1;
      --busy[worker];
    });
    CHECK(strangers == 0);
    CHECK(collisions == 0);
    for (auto const &v : visits) REQUIRE(v == 1);
  }

  std::atomic<int> visits{0};
  auto const fail_at_3 = [&](std::size_t, std::size_t i) {
    ++visits;
    if (i == 3) throw std::runtime_error("index 3");
  };
  CHECK_THROWS_WITH(backend.for_each(1'000'000, fail_at_3), "index 3");
  CHECK(visits < 1'000'000);
  visits = 0;
  backend.for_each(3, fail_at_3);  // the backend is as it was
  CHECK(visits == 3);

  REQUIRE(denormals_are_kept());
  std::atomic<int> kept{0};
  backend.for_each(17, [&](std::size_t, std::size_t) { kept += denormals_are_kept(); });
  CHECK(kept == 0);
  CHECK(denormals_are_kept());
  CHECK_THROWS(backend.for_each(1, [](std::size_t, std::size_t) { throw 1; }));
  CHECK(denormals_are_kept());

  std::vector<int> lanes(2 * 3 * 5);
  worker_of(backend).for_each(2, 3, 5, [&](std::size_t j, std::size_t row, std::size_t lane) {
    ++lanes[(j * 3 + row) * 5 + lane];
  });
  CHECK(lanes == std::vector<int>(30, 1));
}

/// To the last bit; rows beside the n that are mixed are read only, columns of other tiles are not
/// touched, nor is memory behind the scratch.
template <class T, backend B>
void check_mixing() {
  for (std::size_t const n : {3, 40, 150, 600})
    for (std::size_t const beside : {0, 2})
      for (std::size_t const d : {31, 32, 64, 95, 96, 300}) {
        std::size_t const first = d > 100 ? 17 : 0, last = d > 100 ? d - 50 : d;
        auto const all = random_weights<T>(n + beside, d);
        op::mixing_rows<T> own = all;
        own.offsets.resize(n + 1);
        matrix<T> x(n + beside, d);
        auto expected = product(all, x, first, last);
        std::copy(x.numbers.begin() + static_cast<std::ptrdiff_t>(n * x.stride), x.numbers.end(),
                  expected.begin() + static_cast<std::ptrdiff_t>(n * x.stride));
        std::size_t const room = (n + beside) * B::columns_at_once;
        std::vector<T> scratch(room + 64, T{7});
        std::vector<T const *> halo;
        for (std::size_t k = 0; k < beside; ++k)
          halo.push_back(x.numbers.data() + (n + k) * x.stride);
        B::mix_tile(own, rows_view<T>{x.numbers.data() + first, n, last - first, x.stride}, 0,
                    last - first, scratch.data(), op::rows_beside<T>{halo, first});
        CAPTURE(n, beside, d);
        CHECK(x.numbers == expected);
        CHECK(std::count(scratch.end() - 64, scratch.end(), T{7}) == 64);
      }
}

struct add_numbers {
  float const *from;
  float *to;

  constexpr void operator()(std::size_t i) const { to[i] += from[i]; }
};

template <device_backend B>
void check_verbs(B const &backend) {
  constexpr std::size_t count = 1000;
  using buffer = typename B::template buffer<float>;
  buffer from(count), to(count);
  std::vector<float> numbers(count), got(count);
  auto const sum_is = [&](float sum) {
    backend.download(got.data(), to.data(), count);
    CHECK(got == std::vector<float>(count, sum));
  };
  sum_is(0);                      // memory is zeroed
  for (int k = 1; k <= 3; ++k) {  // in the order given; what was uploaded may be reused at once
    numbers.assign(count, static_cast<float>(k));
    backend.upload(from.data(), numbers.data(), count);
    numbers.assign(count, -1.0F);
    backend.launch(count, add_numbers{from.data(), to.data()});
  }
  sum_is(1 + 2 + 3);

  typename B::recording kept;
  for (int k = 1; k <= 3; ++k) {  // what is kept reads what is there when it is repeated
    numbers.assign(count, static_cast<float>(k));
    backend.upload(from.data(), numbers.data(), count);
    backend.replay(kept, [&] {
      backend.launch(count, add_numbers{from.data(), to.data()});
      backend.launch(count, add_numbers{from.data(), to.data()});
    });
  }
  sum_is(3 * (1 + 2 + 3));

  typename B::template pinned<float> out(count), in(count);
  typename B::event arrived;
  std::fill_n(out.data(), count, 4.0F);
  backend.begin_upload(from.data(), out.data(), count);
  backend.launch(count, add_numbers{from.data(), to.data()});
  backend.begin_download(in.data(), to.data(), count);
  backend.record(arrived);
  while (!arrived.passed()) {
  }
  CHECK(std::count(in.data(), in.data() + count, 22.0F) == count);
  backend.wait();
}

template <backend B>
void check_backend(B const &backend) {
  check_products<float>(backend);
  check_products<double>(backend);
  check_layers(backend);
  if constexpr (!B::on_device) {
    check_loops(backend);
    check_mixing<float, B>();
    check_mixing<double, B>();
  }
  if constexpr (device_backend<B>) check_verbs(backend);
}

}  // namespace gossip::test
