// Rows as engines lease them: in parts of any size with the same bits, and no others than an
// operation is said to use.
#include <gossip/backend/cpu.hpp>
#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/random.hpp>
#include <gossip/engine/host/levelled.hpp>
#include <gossip/engine/host/reference.hpp>
#include <gossip/engine/planned_row_traffic.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/fleet/row_tier.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/plan/row_uses.hpp>
#include <gossip/simulator/simulator.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/all_reduce.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/exchange/fed_avg.hpp>
#include <gossip/exchange/gradient_tracking.hpp>
#include <gossip/topology/ring.hpp>
#include "../exchange/conformance.hpp"
#include "../exchange/edge_exchanges.hpp"
#include "../exchange/fragment_exchanges.hpp"
#include "../exchange/message_exchanges.hpp"
#include "../exchange/sum_exchanges.hpp"
#include "../fleet/stores.hpp"

using namespace gossip;
using namespace gossip::test;

namespace {

constexpr std::size_t columns = 5003;  // three parts of 2048 columns
// As of a model with statistics behind the parameters, all but some of which are exchanged.
constexpr column_counts counts{columns, 4900, 4700};
constexpr sgd optimizer{.rate = 0.1, .momentum = 0.9};

/// f_i(x) = |x - i|^2 / 20 over the parameters; the statistics of a batch are i / 10.
class valleys final : public host_model<float> {
 public:
  model_outline const &outline() const override {
    static constexpr row_tensor first(0, {47, 50}), second(2350, {2350, 1});
    static constexpr row_tensor both[] = {first, second};
    static constexpr model_outline all{
        .parameters = counts.trainable, .statistics = columns - counts.trainable, .tensors = both};
    return all;
  }
  std::vector<named_tensor> tensors() const override { return {{"x", {columns}, 0}}; }
  void initialise(std::span<float> row, std::uint64_t) const override {
    std::ranges::fill(row, 0.5F);
  }
  std::size_t workers(std::size_t cores, std::size_t) const override { return cores; }
  std::size_t team_bytes(worker_settings const &, std::size_t count) const override {
    return count * columns * sizeof(float);
  }
  std::unique_ptr<model_worker<float>> worker(worker_settings const &) const override {
    return std::make_unique<of_one_core>();
  }

 private:
  class of_one_core final : public model_worker<float> {
   public:
    void compute(std::span<gradient_task<float> const> tasks, gradient_result *results) override {
      auto const &[share, batch, row, scale] = tasks[0];
      if (row.widen)
        row.widen(row.data, columns, gradient_.data());
      else
        std::copy_n(static_cast<float const *>(row.data), columns, gradient_.data());
      auto const goal = static_cast<float>(share);
      float loss = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        float const apart = gradient_[c] - goal;
        loss += apart * apart;
        gradient_[c] = c < counts.trainable ? 0.1F * apart : 0.1F * goal;
      }
      results[0] = {static_cast<double>(loss), true};
    }
    float *gradient(std::size_t) override { return gradient_.data(); }
    void measure(stored_row<float>, std::span<node const>, float *) override {}
    evaluation score(stored_row<float>, float const *, dataset const &,
                     std::span<std::uint32_t const>) override {
      return {};
    }

   private:
    std::vector<float> gradient_ = std::vector<float>(columns);
  };
};

/// The windows of a run, with matrices of their own, and the sizes of its rows.
struct kept_plan {
  std::deque<plan_window> windows;
  fleet_size size{};
  bool waits = false;
};

struct keep_windows {
  kept_plan *kept;

  void planned(plan_window const &window, std::size_t) const {
    plan_window &own = kept->windows.emplace_back(window);
    own.own_matrices.clear();
    own.matrices.clear();
    for (mixing_matrix const *const w : window.matrices)
      own.matrices.push_back(&own.own_matrices.emplace_back(*w));
  }
};

kept_plan kept_plan_of(some_exchange const &exchange) {
  kept_plan kept;
  kept.waits = outline_of_exchange(exchange).gradient_waits;
  simulator const network{ring{6}, any_model(std::make_shared<valleys>()), optimizer, exchange};
  auto run = network.start({.seed = 3, .stop = rounds{4}}, keep_windows{&kept});
  kept.size = run.rows().size();
  run.advance();
  return kept;
}

/// An engine, and rows that a test reads and writes.
template <class Engine>
class rows_by_hand {
 public:
  using fleet_type = typename Engine::fleet_type;
  using element = typename fleet_type::element;

  explicit rows_by_hand(kept_plan const &plan) : rows_by_hand(plan, fleet_type(plan.size)) {}
  rows_by_hand(kept_plan const &plan, fleet_type rows)
      : rows_(std::move(rows)),
        engine_({{3, 1, counts, 0, 0},
                 host_machine<float>(cores_),
                 model_,
                 rows_,
                 arithmetic<float>(optimizer, plan.waits, counts.trainable),
                 {}}) {}

  void run(plan_window const &window) {
    cpu::session const session{cores_};
    engine_.run(window, [](observation const &) {}, [] { return false; });
  }
  void start() { engine_.set_all(std::vector<float>(columns, 0.25F)); }

  element *row(std::size_t slot, node owner) const {
    return rows_.whole(gossip::changed_slots(std::uint32_t{1} << slot), owner).row(slot, owner);
  }
  /// f(slot, owner) for every row.
  template <class F>
  void each(F f) const {
    fleet_size const &size = rows_.size();
    for (std::size_t s = 0; s < size.slots(); ++s)
      for (node i = 0; i < (size.shared ? 1
                            : s == 0    ? size.owners()
                                        : size.nodes + size.servers);
           ++i)
        f(s, i);
  }
  std::vector<double> numbers() const {
    std::vector<double> all;
    each([&](std::size_t s, node i) {
      auto const own = rows_.whole(used_slots{std::uint32_t{1} << s}, i);
      for (std::size_t c = 0; c < columns; ++c)
        all.push_back(static_cast<double>(own.row(s, i)[c]));
    });
    return all;
  }

 private:
  cpu cores_{.threads = 2};
  valleys model_;
  fleet_type rows_;
  Engine engine_;
};

template <class Engine>
std::vector<double> rows_after(kept_plan const &plan, typename Engine::fleet_type rows) {
  rows_by_hand<Engine> by_hand(plan, std::move(rows));
  by_hand.start();
  for (plan_window const &window : plan.windows) by_hand.run(window);
  return by_hand.numbers();
}
template <class Engine>
std::vector<double> rows_after(kept_plan const &plan, lease_parts const &parts = {}) {
  return rows_after<Engine>(plan, typename Engine::fleet_type(plan.size, {}, parts));
}

/// Rows that lie in a store, of which memory has room for the least.
template <class Row>
fleet<Row, host_buffer> stored_fleet(fleet_size const &size, bool by_owner,
                                     behaviour const &how = {}, std::size_t frames = 6,
                                     row_tier<Row, host_buffer> const **in_use = nullptr) {
  using tier = row_tier<Row, host_buffer>;
  auto store = std::make_unique<awkward_store>(tier_shape::stored_bytes<Row>(size), how);
  tier_shape const shape{frames, frames / tier_shape::leases_ahead, 2048, by_owner};
  auto home = std::make_unique<tier>(size, shape, std::move(store));
  if (in_use) *in_use = home.get();
  return {size, std::move(home)};
}

/// One of every kind of state.
std::vector<some_exchange> kinds() {
  return {d_psgd<>{},          ad_psgd{},
          all_reduce{},        gradient_tracking{},
          fed_avg{},           letters{},
          rounds_of_letters{}, last_heard{},
          edges_by_event{},    scalars_by_event{},
          scalars_in_rounds{}, whole_rows_by_event{},
          sums_of_rows{},      fragments_by_event{},
          mixtures_of_rows{}};
}

/// Numbers for all rows; no number where it is not one that the operation is said to read.
template <class ByHand>
void fill(ByHand const &rows, operation const &o, plan_window const &window, fleet_size const &size,
          bool only_read) {
  row_uses const uses = uses_of(o);
  std::size_t const end = end_of_columns(o, counts);
  rows.each([&](std::size_t s, node i) {
    std::uint32_t read = uses_of(o, i, size.nodes).read;
    if (uses.terms != 0)
      for (std::size_t k = 0; k < o.sum().count; ++k)
        if (window.terms[o.sum().first + k].owner == i) read |= uses.terms;
    keyed_random random(1, purpose::user, i, s);
    for (std::size_t c = 0; c < columns; ++c) {
      auto const number = static_cast<float>(0.1 + random.uniform());
      bool const is_read = (read >> s & 1) != 0 && c >= o.first_column() && c < end;
      rows.row(s, i)[c] = is_read || !only_read ? number : std::numeric_limits<float>::quiet_NaN();
    }
  });
}

/// Executes an operation by itself on rows with numbers everywhere, and on rows that have some only
/// where it is said to read. Returns how many numbers it has changed.
template <class ByHand>
std::size_t check_uses(ByHand &all, ByHand &some, operation const &o, plan_window const &window,
                       fleet_size const &size) {
  plan_window alone = window;
  alone.stream = {o};
  fill(all, o, window, size, false);
  fill(some, o, window, size, true);
  auto const bits = [](std::vector<double> const &numbers) {
    std::vector<std::uint64_t> words;
    for (double const x : numbers) words.push_back(std::bit_cast<std::uint64_t>(x));
    return words;
  };
  auto const all_before = bits(all.numbers()), some_before = bits(some.numbers());
  all.run(alone);
  some.run(alone);
  auto const all_now = bits(all.numbers()), some_now = bits(some.numbers());
  std::size_t const end = end_of_columns(o, counts);
  std::size_t at = 0, changed = 0, wrong = 0;
  all.each([&](std::size_t s, node i) {
    bool const written = (uses_of(o, i, size.nodes).written >> s & 1) != 0;
    bool const gradient = o.kind() == operation_kind::train && o.train().goes_to_row() &&
                          s == o.train().gradient_slot;
    std::size_t const last = gradient ? counts.trainable : end;  // its statistics move the model
    for (std::size_t c = 0; c < columns; ++c, ++at) {
      changed += all_now[at] != all_before[at];
      if (written && c >= o.first_column() && c < last)
        wrong += all_now[at] != some_now[at];
      else
        wrong += all_now[at] != all_before[at] || some_now[at] != some_before[at];
    }
  });
  CHECK(wrong == 0);
  return changed;
}

}  // namespace

TEST_CASE("rows leased in parts of any size have the same bits", "[engine]") {
  std::size_t kind = 0;
  for (some_exchange const &exchange : kinds()) {
    CAPTURE(kind++);
    kept_plan const plan = kept_plan_of(exchange);
    auto const expected = rows_after<reference_engine<float>>(plan);
    lease_parts const few{.owners = 2, .columns = 2048};
    bool const at_once = rows_after<levelled_engine<float>>(plan) == expected;
    bool const in_parts = rows_after<levelled_engine<float>>(plan, few) == expected;
    bool const rounded = rows_after<levelled_engine<float, bf16>>(plan, few) ==
                         rows_after<reference_engine<float, bf16>>(plan);
    CHECK(at_once);
    CHECK(in_parts);
    CHECK(rounded);
  }
}

TEST_CASE("rows in a store have the same bits", "[engine]") {
  std::size_t kind = 0;
  for (some_exchange const &exchange : kinds()) {
    CAPTURE(kind++);
    kept_plan const plan = kept_plan_of(exchange);
    if (plan.size.shared) continue;
    auto const expected = rows_after<levelled_engine<float>>(plan);
    auto const rounded = rows_after<levelled_engine<float, bf16>>(plan);
    for (bool const by_owner : {false, true}) {
      CAPTURE(by_owner);
      auto const stored = [&](behaviour const &how, std::size_t frames) {
        return rows_after<levelled_engine<float>>(
            plan, stored_fleet<float>(plan.size, by_owner, how, frames));
      };
      bool const least = stored({}, 6) == expected, more = stored({}, 11) == expected;
      bool const at_once = stored({.at_once = true}, 6) == expected;
      bool const in_16_bits = rows_after<levelled_engine<float, bf16>>(
                                  plan, stored_fleet<bf16>(plan.size, by_owner)) == rounded;
      CHECK(least);
      CHECK(more);
      CHECK(at_once);
      CHECK(in_16_bits);
    }
  }
}

TEST_CASE("a plan says how often rows are read and written", "[engine]") {
  using tier = row_tier<float, host_buffer>;
  for (some_exchange const &exchange : kinds()) {
    kept_plan const plan = kept_plan_of(exchange);
    if (plan.size.shared) continue;
    for (bool const by_owner : {false, true}) {
      planned_row_traffic planned(plan.size, by_owner, 12);
      for (plan_window const &window : plan.windows) planned.count(window);
      std::uint64_t const row = tier_shape::row_numbers<float>(plan.size) * sizeof(float);
      tier const *in_use = nullptr;
      auto rows = stored_fleet<float>(plan.size, by_owner, {}, 36, &in_use);  // for all sums
      rows_by_hand<levelled_engine<float>> by_hand(plan, std::move(rows));
      by_hand.start();
      auto const before = in_use->report();
      for (plan_window const &window : plan.windows) by_hand.run(window);
      auto const after = in_use->report();  // of a store from which memory keeps nothing
      std::uint64_t const read = (after.read - before.read) / row;
      std::uint64_t const written = (after.written - before.written) / row;
      CAPTURE(by_owner, read, planned.read(), written, planned.written());
      CHECK(read <= planned.read());
      CHECK(written <= planned.written());
      if (by_owner) continue;  // operations of one owner share a lease
      CHECK(3 * read >= 2 * planned.read());
      CHECK(3 * written >= 2 * planned.written());
    }
  }
}

TEST_CASE("a store that fails ends a run with its sentence", "[engine]") {
  kept_plan const plan = kept_plan_of(gradient_tracking{});
  for (bool const by_owner : {false, true})
    for (std::uint64_t const fails_at : std::array<std::uint64_t, 4>{0, 1, 50, 300}) {
      rows_by_hand<levelled_engine<float>> by_hand(
          plan, stored_fleet<float>(plan.size, by_owner, {.fails_at = fails_at}));
      auto const run = [&] {
        by_hand.start();
        for (plan_window const &window : plan.windows) by_hand.run(window);
        by_hand.numbers();
      };
      CHECK_THROWS_WITH(run(), "the store of a test has failed");
    }
}

TEST_CASE("operations use the rows and columns that they are said to use", "[engine]") {
  std::set<operation_kind> seen;
  std::size_t kind = 0;
  for (some_exchange const &exchange : kinds()) {
    CAPTURE(kind++);
    kept_plan const plan = kept_plan_of(exchange);
    if (plan.size.shared) continue;
    rows_by_hand<reference_engine<float>> all(plan), some(plan);
    std::set<std::tuple<std::uint64_t, bool, bool, std::uint64_t>> tried;
    for (plan_window const &window : plan.windows)
      for (operation const &o : window.stream) {
        if (o.kind() == operation_kind::observe) continue;
        std::uint64_t const what = o.words()[0] & 0xffffffff;  // without owners
        if (!tried.insert({what, o.steps(), o.limits().are_all(), o.rows.word()}).second) continue;
        CAPTURE(static_cast<int>(o.kind()), o.words(), o.a, o.b());
        bool const changed = check_uses(all, some, o, window, plan.size) > 0;
        if (changed) seen.insert(o.kind());
      }
  }
  CHECK(seen == std::set{operation_kind::train, operation_kind::step, operation_kind::columns,
                         operation_kind::mix, operation_kind::whole_rows, operation_kind::sum});
}
