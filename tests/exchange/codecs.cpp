// Every codec in the exchanges that send encoded rows: the laws, and what plain messages that are
// encoded do not reach.
#include <gossip/codec/chunked_top_k.hpp>
#include <gossip/codec/int8.hpp>
#include <gossip/codec/qsgd.hpp>
#include <gossip/codec/random_k.hpp>
#include <gossip/codec/sign.hpp>
#include <gossip/exchange/choco_sgd.hpp>
#include <gossip/exchange/deep_squeeze.hpp>
#include <gossip/topology/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "laws.hpp"
#include "networks.hpp"

namespace gossip::test::encoding {

namespace {

/// Any codec in one type, so that each exchange is compiled once.
struct some_codec {
  std::variant<codec::int8, codec::sign, codec::qsgd, codec::random_k, codec::chunked_top_k> kind;

  auto with(auto f) const { return std::visit(f, kind); }
  void check() const {
    with([](auto const &one) { one.check(); });
  }
};

using choco = choco_sgd<some_codec>;
using squeeze = deep_squeeze<some_codec>;

/// Neighbors mix what messages have of each other's models, and keep nothing of what they leave
/// out: x_i <- w_ii x_i + sum_j w_ij Q(x_j).
struct plain_encoded_gossip {
  some_codec code{};

  static constexpr std::size_t rows = 1;

  void on_round(auto &plan, round_number) const {
    plan.train_all();
    plan.step_all();
    for (node i = 0; i < plan.nodes(); ++i) {
      plan.assign(i, sent, {{1, model_row}});
      encoded_row const q = plan.encode(i, sent, code);
      auto const near = plan.topology().neighbors(i);
      plan.send_to(i, {near.begin(), near.end()}, q);
      plan.assign(i, model_row, {{plan.weights(0).at(i, i), model_row}});
    }
    plan.deliver();
  }
  void on_message(auto &plan, node i, auto const &m) const {
    plan.add(i, model_row, {{plan.weights(0).at(i, m.from), m}});
  }
  static constexpr exchange_properties properties() { return {.gradient_waits = false}; }
  auto weights(graph const &g) const { return metropolis_hastings{}.weights(g); }

 private:
  static constexpr row_name sent = exchange_row(0);
};

template <class Exchange>
watched_run after(Exchange const &exchange, std::uint64_t count, std::uint64_t seed = 5) {
  small_network network{ring{9}, scattered<64>{}, sgd{.rate = 1.0}, some_exchange{exchange}};
  return watched(network, {.seed = seed, .stop = rounds{count}}, at_the_end);
}

}  // namespace

// The draws of stochastic codecs among them: laws 1 and 2 ask for the same bits on every engine.
TEST_CASE("CHOCO-SGD with stochastic messages keeps the laws of exchanges", "[exchange]") {
  check_exchange(choco{.code = {codec::qsgd{.levels = 3, .scaled = true}}, .share = 0.3},
                 {.reaches_mean = false});
}
TEST_CASE("DeepSqueeze with random columns keeps the laws of exchanges", "[exchange]") {
  check_exchange(squeeze{.code = {codec::random_k{.share = 0.3}}, .share = 0.3},
                 {.reaches_mean = false});
}

// Nobody learns after the first round: squares of distances fall below 1e-16 whatever is sent.
TEST_CASE("CHOCO-SGD agrees with every codec", "[exchange]") {
  auto const agrees = [](some_codec const &code, double share, std::uint64_t count) {
    double const found = after(choco{.code = code, .share = share}, count).seen.back().distance();
    CAPTURE(code.kind.index());
    CHECK(found < 1e-16);
  };
  agrees({codec::int8{}}, 1.0, 400);
  agrees({codec::sign{}}, 0.3, 1500);
  agrees({codec::qsgd{.levels = 15}}, 0.8, 400);
  agrees({codec::qsgd{.levels = 3, .scaled = true}}, 0.2, 800);
  agrees({codec::random_k{.share = 0.25}}, 0.2, 1500);
  agrees({codec::chunked_top_k{.chunk = 16, .kept = 4}}, 0.4, 800);
}

// Numbers of about 1 and steps of 1 / 50: squares of distances stay about 64 / (12 50^2) = 2e-3.
TEST_CASE("plain gossip of encoded models stays as far apart as messages are wrong", "[exchange]") {
  for (std::uint64_t const count : {400, 1600})
    CHECK(after(plain_encoded_gossip{{codec::qsgd{.levels = 127}}}, count).seen.back().distance() >
          1e-4);
  CHECK(after(plain_encoded_gossip{{codec::chunked_top_k{.chunk = 1, .kept = 1}}}, 400)
            .seen.back()
            .distance() < 1e-20);
}

TEST_CASE("draws of messages follow from the seed", "[exchange]") {
  auto const run = [](std::uint64_t seed) {
    return after(squeeze{.code = {codec::random_k{.share = 0.5}}}, 1, seed);
  };
  auto const one = run(5), again = run(5), other = run(6);
  CHECK(one.seen.back().rows == again.seen.back().rows);
  CHECK(one.seen.back().rows != other.seen.back().rows);
}

TEST_CASE("encoded messages have the bytes of their codec", "[exchange]") {
  auto const sent = [](some_codec const &code) {
    return after(squeeze{code}, 2).report.bytes_sent;
  };
  CHECK(sent({codec::int8{}}) == 2 * 9 * 2 * (64 + 8));
  CHECK(sent({codec::sign{}}) == 2 * 9 * 2 * (64 / 8 + 8));
  CHECK(sent({codec::qsgd{.levels = 15}}) == 2 * 9 * 2 * (64 * 5 / 8 + 8));
  CHECK(sent({codec::random_k{.share = 0.25}}) == 2 * 9 * 2 * (16 * 8 + 8));
  CHECK(sent({codec::chunked_top_k{.chunk = 16, .kept = 4}}) == 2 * 9 * 2 * (16 * 8 + 8));
}

}  // namespace gossip::test::encoding
