// The cause of numbers that a run cannot go on with: a search backwards through the plan, from the
// row that has them to the operations that can have made them. Nothing is kept for it while a run
// goes well: the plan is planned again, and rows are looked at as they are after the failure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/engine/cause_words.hpp>
#include <gossip/engine/row_accesses.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/row_fault.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// Finds the operations that can have made a row what it is. A training with a finite loss had a
/// finite row; a mixture of finite rows is finite. A row that no later operation has written is
/// looked at, and those that cannot be known are followed further back. A template, so that a file
/// that makes no run does not compile it.
template <class History = plan_history>
class cause_search {
 public:
  /// look(owner, slot): the extreme number of a row as it is now, none where it is not here.
  /// name(operation): of its function. All of them outlive the search. largest: the end of the type
  /// of numbers.
  cause_search(History const &history, fleet_size const &size, double largest,
               std::function<std::optional<extreme_number>(node, std::uint8_t)> const &look,
               std::function<std::string(operation const &)> const &name)
      : history_(history),
        size_(size),
        largest_(largest),
        look_(look),
        words_(history, size, name) {}

  /// The sentence of a fault and its cause.
  std::string of(row_fault const &fault) {
    std::string text = fault.what();
    bool const of_training = fault.at() && fault.at()->kind() == operation_kind::train;
    row const met{fault.owner(), fault.slot()};
    extreme_number const *there = nullptr;
    if (history_.intact && now(met)) there = &*now(met);
    if (there) {
      if (of_training) text += ": " + model_in_words(*there);
      if (of_training && std::abs(there->value) < usual_number)
        return text + (step_of(met) ? unusual_loss : "; the run began with it");
      if (std::isfinite(there->value)) limit_ = std::abs(there->value) / usual_number;
    }
    follow(met, history_.fault, there != nullptr);
    return text + causes();
  }

 private:
  enum class state_of { fine, bad, unknown };
  struct row {
    node owner;
    std::uint8_t slot;
  };
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 31;  // of entries and numbers
  static constexpr char const *unusual_loss =
      "; see whether the samples of its batch are what they should be, and whether a smaller rate "
      "helps";

  bool is_bad(double x) const { return !(std::abs(x) < limit_); }

  bool writes(std::size_t k, row r) {
    ++steps_;
    return writes_row(*history_.entries[k].what, size_, r.owner, r.slot);
  }

  /// A row as it is.
  std::optional<extreme_number> const &now(row r) {
    auto const [at, is_new] = seen_now_.try_emplace({r.owner, r.slot});
    if (is_new) {
      at->second = look_(r.owner, r.slot);
      steps_ += size_.parameters;
    }
    return at->second;
  }

  /// A row as it was before entry `at`, as far as it can be told: a row that is fine after
  /// operations that read what they write was so before them.
  state_of known(row r, std::size_t at) {
    if (steps_ > most_steps) return state_of::unknown;
    bool replaced = false, written = false;
    for (std::size_t k = at; k < history_.entries.size() && !replaced; ++k)
      if (writes(k, r)) {
        written = true;
        replaced = !keeps_infinities(*history_.entries[k].what, *history_.entries[k].window,
                                     r.owner, r.slot);
      }
    if (!replaced)
      if (auto const &x = now(r)) {
        if (!is_bad(x->value)) return state_of::fine;
        if (!written) return state_of::bad;
      }
    if (std::isfinite(limit_) || size_.attacks(r.owner)) return state_of::unknown;
    for (std::size_t k = at; k-- > 0 && !writes(k, r);) {
      operation const &o = *history_.entries[k].what;
      if (o.kind() == operation_kind::train && o.a == r.owner && o.slot() == r.slot)
        return state_of::fine;  // its loss was finite
    }
    return state_of::unknown;
  }

  /// The state of a row that a mixture has read: if it was bad, the rows of all nodes that read it
  /// are bad behind the mixture.
  state_of known_of_mixture(row r, std::size_t at) {
    state_of const own = known(r, at);
    operation const &o = *history_.entries[at].what;
    if (own != state_of::unknown || o.mix().function != 0) return own;
    mixing_matrix const &w = *history_.entries[at].window->matrices[o.mix().matrix];
    auto const others = w.row(r.owner).columns;
    if (others.size() > 64) return own;
    for (node const i : others)
      if (std::ranges::find(w.row(i).columns, r.owner) != w.row(i).columns.end() &&
          known({i, r.slot}, at + 1) == state_of::fine)
        return state_of::fine;
    return own;
  }

  /// Looks for the operation that made a row what it was before entry `at`. sure: the row was bad.
  void follow(row r, std::size_t at, bool sure) {
    if (found_) return;
    if (steps_ > most_steps) return add({"an operation further back", cause_kind::before});
    std::size_t k = at;
    while (k > 0 && !writes(k - 1, r)) --k;
    if (k == 0) return begin(sure);
    --k;
    if (!seen_.insert({k, r.owner, r.slot}).second) return;
    made_by(k, r, sure);
  }

  /// Nothing has written the row as far as the plan is known.
  void begin(bool sure) {
    if (!history_.complete) return add({"an operation of an earlier round", cause_kind::before});
    if (sure) settle({"the run began with it", cause_kind::before, false});
  }

  /// True of a training whose model is the row: its loss was finite, and so was the row.
  bool met_by(operation const &o, row r) const {
    return o.kind() == operation_kind::train && r.owner == o.a && r.slot == o.slot() &&
           !std::isfinite(limit_) && !size_.attacks(o.a);
  }

  /// Whether a row that is fine is too large when multiplied.
  bool is_too_large(double coefficient, row r) {
    auto const &x = now(r);
    return x && !(coefficient * std::abs(x->value) < std::min(limit_, largest_));
  }

  /// Whether any training has moved a row.
  bool step_of(row r) {
    for (std::size_t k = 0; k < history_.fault; ++k)
      if (writes(k, r)) return true;
    return !history_.complete;
  }

  void made_by(std::size_t k, row r, bool sure) {
    auto const &made = history_.entries[k];
    operation const &o = *made.what;
    bool const trains = o.kind() == operation_kind::train || o.kind() == operation_kind::step ||
                        o.kind() == operation_kind::reduce;
    std::vector<row> bad, unknown;
    bool const computed = o.reads_scalars();
    double const coefficient = std::abs(largest_coefficient(o, *made.window));
    bool explained = !std::isfinite(trains ? o.rate() : coefficient);
    each_row_read(o, *made.window, size_, r.owner, [&](node owner, std::uint8_t slot) {
      row const from{owner, slot};
      state_of const was =
          o.kind() == operation_kind::mix ? known_of_mixture(from, k) : known(from, k);
      bool const kept = trains && slot > 0 && slot <= size_.optimizer_rows;
      if (was == state_of::bad) bad.push_back(from);
      if (was == state_of::unknown && !kept && !met_by(o, from)) unknown.push_back(from);
      if (was == state_of::fine && !(coefficient <= usual_number))
        explained |= is_too_large(coefficient, from);
    });
    if (!bad.empty()) {
      for (row const &from : bad) follow(from, k, sure);
      return;
    }
    if (explained ||
        (sure && ((!computed && unknown.empty()) || (trains && std::isfinite(limit_)))))
      return settle(words_.described(k, r.owner));
    if (trains || makes_infinities(o, *made.window)) add(words_.described(k, r.owner));
    if (trains && std::isfinite(limit_)) return;
    for (row const &from : unknown) follow(from, k, false);
    if (computed) follow_scalars(k);
  }

  /// Scalars of a window, by the operations that have made them.
  void follow_scalars(std::size_t k) {
    plan_window const &window = *history_.entries[k].window;
    for (std::size_t at = history_.entries[k].what->first_operand(); at < window.operands.size();
         ++at) {
      operand const &one = window.operands[at];
      if (one.scalar != operand::none) follow_scalar(one.scalar, k);
      if (one.last) break;
    }
  }
  void follow_scalar(std::uint64_t number, std::size_t before) {
    plan_window const *const window = history_.entries[before].window;
    for (std::size_t k = before; k-- > 0 && history_.entries[k].window == window;) {
      operation const &o = *history_.entries[k].what;
      if (!o.makes_scalar() || o.scalar() != number) continue;
      if (!seen_.insert({k, 0, 0}).second) return;
      if (o.kind() == operation_kind::compute) {
        add({words_.name(o) + ", a scalar of " + words_.who(o.a), cause_kind::function});
        return follow_scalars(k);
      }
      return each_row_read(o, *window, size_, o.a, [&](node owner, std::uint8_t slot) {
        state_of const was = known({owner, slot}, k);
        if (was != state_of::fine) follow({owner, slot}, k, was == state_of::bad);
      });
    }
  }

  std::string causes() const {
    if (!found_ && candidates_.empty()) return {};
    std::vector<cause> const all = found_ ? std::vector<cause>{*found_} : candidates_;
    std::string text = !all[0].made_by   ? "; "
                       : all.size() == 1 ? "; made by "
                                         : "; made by one of these: ";
    constexpr std::size_t most = 4;
    for (std::size_t k = 0; k < std::min(most, all.size()); ++k)
      text += (k > 0 ? "; " : "") + all[k].text;
    if (all.size() > most) text += "; or " + std::to_string(all.size() - most) + " more";
    if (std::ranges::all_of(all, [](cause const &c) { return c.kind == cause_kind::training; }))
      text += "; a smaller rate or a warm-up may keep it smaller";
    return text;
  }

  void add(cause const &one) {
    if (std::ranges::find(candidates_, one.text, &cause::text) == candidates_.end())
      candidates_.insert(std::ranges::upper_bound(candidates_, one.kind, {}, &cause::kind), one);
  }
  void settle(cause const &one) {
    if (!found_) found_ = one;
  }

  History const &history_;
  fleet_size const &size_;
  double largest_;
  std::function<std::optional<extreme_number>(node, std::uint8_t)> const &look_;
  cause_words<History> words_;
  double limit_ = std::numeric_limits<double>::infinity();  // from which on a number is bad
  std::uint64_t steps_ = 0;
  std::map<std::pair<node, std::uint8_t>, std::optional<extreme_number>> seen_now_;
  std::set<std::tuple<std::size_t, node, std::uint8_t>> seen_;
  std::vector<cause> candidates_;  // by kind, each in the order in which they were found
  std::optional<cause> found_;
};

}  // namespace gossip
