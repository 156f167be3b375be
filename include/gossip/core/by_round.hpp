// Values that change from round to round: the graphs of a network, its mixing matrices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// A value for every round: one for all, several in turns, or each from a given round on.
template <class T>
class by_round {
 public:
  using value_type = T;

  by_round() = default;  ///< of no round

  /// One for all rounds.
  by_round(T one) : first_{0} { values_.push_back(std::move(one)); }

  /// Round k takes value k modulo their number.
  by_round(std::vector<T> in_turns) : values_(std::move(in_turns)), first_(values_.size()) {
    std::iota(first_.begin(), first_.end(), round_number{0});
    if (values_.size() > 1) period_ = values_.size();
  }

  /// Value s from round first[s] on; the last stays, or all begin again after `period` rounds.
  /// Throws input_error unless there is a first round for each value, 0 and then ascending, and all
  /// are below the period.
  by_round(std::vector<T> values, std::vector<round_number> first, round_number period = 0)
      : values_(std::move(values)), first_(std::move(first)), period_(period) {
    bool const ascending = std::ranges::adjacent_find(first_, std::greater_equal{}) == first_.end();
    if (first_.empty() || first_.size() != values_.size() || first_.front() != 0 || !ascending)
      throw input_error("by_round",
                        "a first round for each of " + std::to_string(values_.size()) +
                            " values, 0 and then ascending",
                        in_words(first_));
    if (period_ > 0 && period_ <= first_.back())
      throw input_error("by_round", "a period above " + std::to_string(first_.back()),
                        std::to_string(period_));
  }

  /// The value of round k.
  T const &operator[](round_number k) const {
    round_number const at = period_ > 0 ? k % period_ : k;
    if (period_ == values_.size()) return values_[at];
    auto const next = std::upper_bound(first_.begin(), first_.end(), at);
    return values_[static_cast<std::size_t>(next - first_.begin()) - 1];
  }

  bool empty() const { return values_.empty(); }
  std::span<T const> values() const & { return values_; }
  std::span<T const> values() && = delete;                          // they would be gone
  std::span<round_number const> first() const & { return first_; }  ///< round of each value
  /// The rounds after which all begin again; 0 where the last value stays.
  round_number period() const { return period_; }

  /// f of every value, for the same rounds.
  template <class F>
  auto map(F f) const {
    std::vector<std::invoke_result_t<F &, T const &>> values;
    values.reserve(values_.size());
    for (T const &value : values_) values.push_back(f(value));
    by_round<std::invoke_result_t<F &, T const &>> mapped;
    if (!values.empty()) mapped = {std::move(values), first_, period_};
    return mapped;
  }

  friend bool operator==(by_round const &a, by_round const &b) {
    return a.period_ == b.period_ && a.first_ == b.first_ && a.values_ == b.values_;
  }

 private:
  static std::string in_words(std::vector<round_number> const &first) {
    std::string all;
    for (round_number const k : first) all += (all.empty() ? "" : ", ") + std::to_string(k);
    return all.empty() ? "none" : all;
  }

  std::vector<T> values_;            // (values)
  std::vector<round_number> first_;  // (values)
  round_number period_ = 0;
};

}  // namespace gossip
