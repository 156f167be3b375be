// The host's view of rows on a device, through windows of any size.
#include <gossip/engine/device/rows.hpp>

#include <gossip/backend/cpu.hpp>
#include <gossip/core/random.hpp>
#include <gossip/engine/device/program.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/observer/network_mean.hpp>

#include <span>
#include <vector>

#include "../catch.hpp"
#include "late_device.hpp"
#include "recording_device.hpp"

using namespace gossip;

namespace {

template <class T>
using host_fleet = fleet<T, host_buffer>;

template <class T>
host_fleet<T> random_rows(fleet_size size) {
  host_fleet<T> rows(size);
  for (std::size_t i = 0; i < size.rows(); ++i) {
    keyed_random random(1, purpose::user, static_cast<node>(i), 0);
    for (T &x : std::span(rows.parameters(static_cast<node>(i)), size.parameters))
      x = as_element<T>(static_cast<float>(random.normal()));
  }
  return rows;
}

struct figures {
  std::uint64_t digest;
  std::vector<float> numbers;  // of all rows, one after another
  std::vector<float> mean;
  double distance, of_last;  // of all columns, and of the last two thirds

  friend bool operator==(figures const &, figures const &) = default;
};

template <class Rows>
figures figures_of(Rows const &rows, cpu const &loops) {
  figures f{digest(rows, loops), {}, std::vector<float>(rows.size().parameters), 0, 0};
  each_row(rows, [&](std::size_t k, auto const &row) {
    CHECK(k * row.size() == f.numbers.size());
    for (auto const x : row) f.numbers.push_back(static_cast<float>(x));
  });
  network_mean(rows, loops, f.mean.data());
  std::size_t const d = f.mean.size();
  f.distance = mean_squared_distance(rows, loops, f.mean.data(), 0, d);
  f.of_last = mean_squared_distance(rows, loops, f.mean.data(), d / 3, d);
  return f;
}

template <class Device, class T>
void check_windows(fleet_size size) {
  auto const here = random_rows<T>(size);
  auto const expected = figures_of(here, cpu{.threads = 2});
  Device const device;
  fleet<T, Device::template buffer> const there(size);
  device.upload(there.parameters(0), here.parameters(0), size.rows() * there.stride());
  std::size_t const row = there.stride() * sizeof(T);
  for (std::size_t const window : {std::size_t{1}, row + 1, 2 * row, 5 * row, 100 * row})
    for (std::size_t const threads : {1, 3}) {
      CAPTURE(size.nodes, size.parameters, size.shared, window, threads);
      device_rows<T, Device> rows(device, there.parameters(0), size, {}, window);
      CHECK(figures_of(rows, cpu{threads}) == expected);
      CHECK(device_rows<T, Device>::bytes(size, window) <=
            std::max(window, 2 * window_columns * sizeof(T)));
    }
}

}  // namespace

TEMPLATE_TEST_CASE("windows of any size show the digest, the mean and the distance of all rows",
                   "[engine]", (std::pair<test::late_device, float>),
                   (std::pair<test::recording_device, float>),
                   (std::pair<test::late_device, bf16>)) {
  using device = typename TestType::first_type;
  using number = typename TestType::second_type;
  for (std::size_t const n : {1, 2, 3, 17})
    for (std::size_t const d : {1, 5, 512, 1300, 2049}) {
      check_windows<device, number>({n, d, 0, false});
      check_windows<device, number>({n, d, 0, true});
    }
}

TEST_CASE("rows by node are those of the device when they were renewed last", "[engine]") {
  test::late_device const device;
  fleet_size const size{5, 700, 0, false};
  fleet<float, test::late_device::buffer> const there(size);
  device_rows<float, test::late_device> rows(device, there.parameters(0), size, {}, 1);
  auto const put = [&](float number) {
    device.launch(5, [=, data = there.parameters(0), stride = there.stride()](std::size_t i) {
      data[i * stride + 699] = number + static_cast<float>(i);
    });
  };
  put(1);
  CHECK(rows.parameters(4)[699] == 5);
  CHECK(rows.parameters(2)[699] == 3);
  put(10);
  rows.renew();
  CHECK(rows.parameters(2)[699] == 12);
  double sum = 0;
  rows.each_window(512, 700, [&](auto const &part) {
    for (std::size_t i = 0; i < part.values.rows; ++i)
      sum += static_cast<double>(part.values[i][699 - part.first]);
  });
  CHECK(sum == 60);
}

TEST_CASE("a network that fits a window is copied once for all that look", "[engine]") {
  test::late_device const device;
  fleet_size const size{5, 700, 0, false};
  fleet<float, test::late_device::buffer> const there(size);
  device_rows<float, test::late_device> rows(device, there.parameters(0), size, {});
  test::late_device::waits = 0;
  figures_of(rows, cpu{1});
  CHECK(test::late_device::waits == 1);
  rows.renew();
  figures_of(rows, cpu{1});
  CHECK(test::late_device::waits == 2);
}
