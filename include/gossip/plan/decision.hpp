// Decisions by what a run measures: an exchange asks for a number, and the plan goes on
// when it has been measured. Answers are logged; a plan that is given a log needs no values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gossip/core/described.hpp>
#include <gossip/core/error.hpp>

namespace gossip {

/// The quantities that an exchange may ask for; an observer of the run measures them.
enum class measured : std::uint8_t {
  accuracy,                 ///< the mean over the evaluated nodes
  averaged_model_accuracy,  ///< of the mean model
  test_loss,                ///< the mean over evaluated nodes and samples
  consensus_distance,       ///< (1/n) sum_i |x_i - mean x|^2
};

template <>
struct value_names<measured> {
  static constexpr std::array<char const *, 4> names{"accuracy", "averaged_model_accuracy",
                                                     "test_loss", "consensus_distance"};
};

constexpr char const *name_of(measured what) {
  return value_names<measured>::names[static_cast<std::size_t>(what)];
}

template <class X, class Plan>
concept takes_answers = requires(X const &x, Plan &plan) { x.on_answer(plan, 0.0); };

/// A part of plan_verbs.
template <class Verbs>
class decision_verbs {
 public:
  /// on_answer(plan, number) comes when all that is planned by the end of this handler has been
  /// executed; the plan waits for it. The same on every rank.
  void ask(measured what) {
    static_assert(Verbs::with_answers,
                  "gossip::plan: ask needs an exchange with on_answer(auto &plan, double answer) "
                  "const. See docs/policies/exchange.md");
    if (asked_) throw error("exchange: asks again before it has had its answer");
    asked_ = what;
  }

  /// The run ends here, whatever was to come.
  void stop() { stopped_ = true; }

 protected:
  explicit decision_verbs(std::vector<double> log) : log_(std::move(log)) {}

  bool asks() const { return Verbs::with_answers && asked_.has_value(); }
  bool stopped() const { return stopped_; }

  /// The question that has no answer yet.
  std::optional<measured> open() const { return answered_ < log_.size() ? std::nullopt : asked_; }
  std::vector<double> *log() { return &log_; }

  /// Throws error where nobody has answered.
  double take_answer() {
    if (open())
      throw error(std::string("exchange: asks for ") + name_of(*asked_) +
                  ", which a plan without a run does not know; give it the answers of a run");
    asked_.reset();
    return log_[answered_++];
  }

 private:
  std::optional<measured> asked_;
  std::vector<double> log_;
  std::size_t answered_ = 0;
  bool stopped_ = false;
};

}  // namespace gossip
