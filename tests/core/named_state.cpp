// State by name: copied out and in, and what is refused.
#include <gossip/core/named_state.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../catch.hpp"

using gossip::named_state;
using gossip::node;
using gossip::number_kind;
using gossip::state_visitor;
using gossip::test::contains;

namespace {

/// A holder of one part of each kind; owners 0 to 4, of which it has some.
struct holder {
  std::vector<node> held{0, 1, 2, 3, 4};
  std::uint64_t steps = 0;
  bool ended = false;
  float scale[2] = {0, 0};
  std::vector<double> answers{};
  std::optional<double> best{};
  std::vector<std::uint32_t> counts = std::vector<std::uint32_t>(5);
  std::vector<gossip::bf16> rows = std::vector<gossip::bf16>(15);  // (owners, 3)

  void name_state(state_visitor const &visit) {
    visit.value("steps", steps);
    visit.value("ended", ended);
    visit.numbers("scale", std::span<float>(scale));
    visit.list("answers", answers);
    visit.optional("best", best);
    auto const own = visit.within("own");
    own.by_owner("counts", 5, held, [this](node i) -> auto & { return counts[i]; });
    own.rows<gossip::bf16>(
        "rows", 5, held, 3,
        [this](std::size_t first, std::size_t count, gossip::bf16 *to) {
          for (std::size_t k = 0; k < 3 * count; ++k) to[k] = rows[3 * held[first + k / 3] + k % 3];
        },
        [this](std::size_t first, std::size_t count, gossip::bf16 const *from) {
          for (std::size_t k = 0; k < 3 * count; ++k)
            rows[3 * held[first + k / 3] + k % 3] = from[k];
        });
  }
};

holder filled() {
  holder one;
  one.steps = 7;
  one.ended = true;
  one.scale[1] = 0.5F;
  one.answers = {3, 1, 4};
  one.best = 2.5;
  for (std::uint16_t k = 0; k < 15; ++k) one.rows[k].bits = static_cast<std::uint16_t>(100 + k);
  for (std::uint32_t i = 0; i < 5; ++i) one.counts[i] = 10 + i;
  return one;
}

named_state state_of(holder &one) {
  return named_state::of([&](state_visitor const &visit) { one.name_state(visit); });
}
void restore(named_state const &state, holder &one) {
  state.restore([&](state_visitor const &visit) { one.name_state(visit); });
}

}  // namespace

TEST_CASE("what is copied in is what was copied out, of every kind of part", "[core]") {
  holder from = filled(), to;
  named_state const state = state_of(from);
  CHECK(state.parts().size() == 7);
  CHECK(state.parts().at("own/rows").kind == number_kind::bf16);
  CHECK(state.parts().at("own/rows").each == 3);
  CHECK(state.bytes() == 8 + 1 + 2 * 4 + 3 * 8 + 8 + 5 * 4 + 15 * 2);
  restore(state, to);
  CHECK(to.steps == 7);
  CHECK(to.ended);
  CHECK(to.scale[1] == 0.5F);
  CHECK(to.answers == from.answers);
  CHECK(to.best == 2.5);
  CHECK(to.counts == from.counts);
  CHECK(state_of(to).parts() == state.parts());
  CHECK(state.list<double>("answers") == from.answers);
  CHECK_THROWS_WITH(state.list<double>("steps"), contains("state: steps: expected float64, got"));
}

TEST_CASE("two that hold other owners have together the state of one that holds all", "[core]") {
  holder all = filled(), odd = filled(), even = filled();
  odd.held = {1, 3};
  even.held = {0, 2, 4};
  named_state together = state_of(odd);
  CHECK(together.parts().at("own/rows").bytes.size() == 2 * 3 * 2);
  together.add(state_of(even));
  CHECK(together.parts() == state_of(all).parts());
  holder some;  // takes what it holds
  some.held = {1, 2};
  restore(together, some);
  CHECK(some.counts == std::vector<std::uint32_t>{0, 11, 12, 0, 0});
  CHECK(some.rows[3].bits == 103);
  CHECK(some.rows[9].bits == 0);
  CHECK_THROWS_WITH(restore(state_of(odd), all),
                    contains("state: own/counts: expected the numbers of owner 0, got none"));
}

TEST_CASE("a part that is missing, another or left over is refused in a sentence", "[core]") {
  holder from = filled();
  named_state const state = state_of(from);
  auto const with = [&](std::string const &name, auto change) {
    named_state other;
    for (auto const &[key, part] : state.parts())
      if (key != name) other.put(key, part);
    change(other, state.parts().contains(name) ? state.parts().at(name) : named_state::part{});
    return other;
  };
  auto const refused = [](named_state const &other, std::string const &sentence) {
    holder to;
    CHECK_THROWS_WITH(restore(other, to), contains(sentence));
  };
  refused(with("scale", [](named_state &, auto) {}), "state: expected a part scale, got none");
  refused(with("scale",
               [](named_state &s, auto part) {
                 part.kind = number_kind::uint32;
                 s.put("scale", part);
               }),
          "state: scale: expected float32, got uint32");
  refused(with("scale",
               [](named_state &s, auto part) {
                 part.each = 3;
                 part.bytes.resize(12);
                 s.put("scale", part);
               }),
          "state: scale: expected 2 numbers, got 3 numbers");
  refused(with("own/rows",
               [](named_state &s, auto part) {
                 part.owners = 6;
                 s.put("own/rows", part);
               }),
          "own/rows: expected 3 numbers of each of 5 owners, got 3 numbers of each of 6 owners");
  refused(with("more", [](named_state &s, auto part) { s.put("more", part); }),
          "state: expected only parts that the run has, got more besides");
}

TEST_CASE("a name that two parts have is refused", "[core]") {
  std::uint64_t steps = 1;
  CHECK_THROWS_WITH(named_state::of([&](state_visitor const &visit) {
                      visit.value("steps", steps);
                      visit.value("steps", steps);
                    }),
                    contains("state: steps is named twice"));
}
