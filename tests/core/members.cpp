// The members of aggregates, counted and in order.
#include <gossip/core/members.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "../catch.hpp"

using gossip::decomposable;
using gossip::members_of;

namespace {

struct nothing {};
struct point {
  double x = 1, y = 2;
};
struct mixture {
  point at;
  double numbers[3];
  std::vector<double> list{1, 2};
  std::optional<int> perhaps;
  std::variant<nothing, point> either;
  std::function<void()> call;
  nothing none;
  std::string text = "text";
};
struct derived : point {
  double z = 3;
};
struct twelve {
  int a = 0, b = 1, c = 2, d = 3, e = 4, f = 5, g = 6, h = 7, i = 8, j = 9, k = 10, l = 11;
};
struct thirteen {
  int a, b, c, d, e, f, g, h, i, j, k, l, m;
};
struct without_default {
  int value;
  std::reference_wrapper<int> other;
};
class closed {
 public:
  int value = 0;

 private:
  [[maybe_unused]] int other_ = 0;
};

template <class T>
constexpr std::size_t count = std::tuple_size_v<decltype(members_of(std::declval<T>()))>;

}  // namespace

TEST_CASE("members of aggregates are counted, whatever they are", "[core]") {
  STATIC_REQUIRE(count<nothing> == 0);
  STATIC_REQUIRE(count<point> == 2);
  STATIC_REQUIRE(count<mixture> == 8);
  STATIC_REQUIRE(count<twelve> == 12);
}

TEST_CASE("what cannot be taken apart is not", "[core]") {
  STATIC_REQUIRE(!decomposable<derived>);
  STATIC_REQUIRE(!decomposable<thirteen>);
  STATIC_REQUIRE(!decomposable<without_default>);
  STATIC_REQUIRE(!decomposable<closed>);
  STATIC_REQUIRE(!decomposable<double>);
  STATIC_REQUIRE(!decomposable<std::array<double, 3>>);
  STATIC_REQUIRE(!decomposable<int[2]>);
}

TEST_CASE("members are those of the value, in order", "[core]") {
  point const p{3, 4};
  CHECK(&std::get<0>(members_of(p)) == &p.x);
  CHECK(&std::get<1>(members_of(p)) == &p.y);
  mixture const m{};
  CHECK(&std::get<7>(members_of(m)) == &m.text);
  CHECK(std::get<11>(members_of(twelve{})) == 11);
}
