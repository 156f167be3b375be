// Operations of a plan in words, for the sentence of a run that has diverged.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>
#include <gossip/core/number_text.hpp>
#include <gossip/engine/row_accesses.hpp>
#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/fleet.hpp>
#include <gossip/op/column_table.hpp>
#include <gossip/plan/operation.hpp>
#include <gossip/plan/window.hpp>

namespace gossip {

/// The end of a plan as far as it is known again: operations in an order in which they may have
/// been executed.
struct plan_history {
  struct entry {
    operation const *what;
    plan_window const *window;
  };
  std::vector<entry> entries;
  std::size_t fault = 0;  ///< number of entries before the operation that met the fault, which is
                          ///< not an entry; entries behind it may have been executed as well
  bool intact = true;     ///< the row that it met is as it met it
  bool complete = true;   ///< they reach back to the beginning of the run
};

/// What can have made a row, the likeliest first.
enum class cause_kind { attacker, number, function, training, before };

struct cause {
  std::string text;
  cause_kind kind;
  bool made_by = true;  // the text is of what made the row
};

/// A template for the same reason as cause_search.
template <class History = plan_history>
class cause_words {
 public:
  /// name(operation): of its function. All of them outlive it.
  cause_words(History const &history, fleet_size const &size,
              std::function<std::string(operation const &)> const &name)
      : history_(history), size_(size), name_(name) {}

  /// Of its function; of one of the library without its namespace.
  std::string name(operation const &o) const {
    std::string const all = name_(o), own = "gossip::op::";
    return all.starts_with(own) ? all.substr(own.size()) : all;
  }

  std::string who(node i) const {
    if (i < size_.nodes) return "node " + std::to_string(i);
    if (i < size_.nodes + size_.servers) return "server " + std::to_string(i - size_.nodes);
    return "a message";
  }

  cause described(std::size_t k, node owner) const {
    auto const &[what, window] = history_.entries[k];
    operation const &o = *what;
    switch (o.kind()) {
      case operation_kind::train:
      case operation_kind::step:
      case operation_kind::reduce:
        return training(k);
      case operation_kind::mix:
        return {(o.mix().function == 0 ? "the mixture" : name(o)) + " of " + who(owner) +
                    " and its neighbors",
                cause_kind::function};
      case operation_kind::sum:
        return {"a sum over nodes, which takes numbers below 2^20" + by_coefficient(o, *window),
                cause_kind::function};
      default:
        return {words_of(o) + (o.reads_scalars() ? " by scalars" : by_coefficient(o, *window)),
                changes_numbers(o, *window) ? cause_kind::number : cause_kind::function};
    }
  }

 private:
  cause training(std::size_t k) const {
    operation const &o = *history_.entries[k].what;
    std::string text = "a step of all nodes";
    if (o.kind() == operation_kind::train) text = "the training of " + training_place(o);
    if (o.kind() == operation_kind::step) {
      text = "a step of " + who(o.a);
      for (std::size_t at = k; at-- > 0;) {
        operation const &before = *history_.entries[at].what;
        if (before.kind() != operation_kind::train || before.a != o.a) continue;
        text = "the training of " + training_place(before);
        break;
      }
    }
    bool const steps = o.steps();
    if (steps) text += ", at a rate of " + detail::rounded_text(o.rate());
    if (o.kind() != operation_kind::reduce && size_.attacks(o.a))
      return {text + ", an attacker", cause_kind::attacker};
    bool const usual = !steps || std::isfinite(o.rate());
    return {text, usual ? cause_kind::training : cause_kind::number};
  }

  std::string words_of(operation const &o) const {
    bool const message = o.a >= size_.nodes + size_.servers;
    bool const two = o.rows.names_second() && o.b() != o.a && !o.reads_scalars();
    if (applies<op::mean_of_two>(o)) return "the average of " + who(o.a) + " and " + who(o.b());
    if (applies<op::interpolation>(o))
      return "the combination of " + who(o.a) + " with " + who(o.b());
    if (applies<op::rounding<fp16>>(o))
      return "the codec fp16 of " + (message ? "a message" : who(o.a)) +
             ", which has infinities beyond 65504";
    if (applies<op::rounding<bf16>>(o)) return "the codec bf16 of " + who(o.a);
    bool const sum = is_sum(o);
    if (sum && message) return "a message of " + who(o.b());
    std::string const what = sum ? "a sum of rows of " : name(o) + " of ";
    if (two && o.b() >= size_.nodes + size_.servers) return what + who(o.a) + " with a message";
    return what + who(o.a) + (two ? " with " + who(o.b()) : "");
  }

  /// Whether it makes infinite numbers of usual ones.
  static bool changes_numbers(operation const &o, plan_window const &window) {
    return applies<op::rounding<fp16>>(o) ||
           !(std::abs(largest_coefficient(o, window)) <= usual_number);
  }

  /// The coefficient that is so large that finite rows become infinite by it.
  static std::string by_coefficient(operation const &o, plan_window const &window) {
    double const c = largest_coefficient(o, window);
    if (std::abs(c) <= usual_number) return {};
    return ", by a coefficient of " + detail::rounded_text(c);
  }

  History const &history_;
  fleet_size const &size_;
  std::function<std::string(operation const &)> const &name_;
};

}  // namespace gossip
