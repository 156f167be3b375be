// Definitions of clock/outages.hpp.
#pragma once

#include <gossip/clock/outages.hpp>

#include <algorithm>
#include <utility>

#include <gossip/core/elementary.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/core/random.hpp>

namespace gossip {

GOSSIP_INLINE up_times::up_times(outages const &of, std::size_t nodes, std::uint64_t seed)
    : churn_(of.churn), nights_(of.nights), seed_(seed), nodes_(nodes), cuts_(of.cuts, nodes) {
  check(of);
  std::vector<outage> listed = of.listed;
  if (!of.trace.empty())
    for (outage const &one : read_outages(of.trace, nodes)) listed.push_back(one);
  if (!listed.empty()) list(std::move(listed));
  if (churn_.down > virtual_time(0)) toggles_.resize(nodes);
  always_ = listed_.empty() && toggles_.empty() && nights_.down == virtual_time(0) && cuts_.none();
}

GOSSIP_INLINE virtual_time up_times::up_from(node i, virtual_time t) const {
  if (i >= nodes_) return t;
  for (virtual_time before = never; before != t;) {
    before = t;
    t = up_as_listed(i, t);
    if (t == never) return never;
    t = up_in_churn(i, t);
    t = up_by_day(i, t);
  }
  return t;
}

GOSSIP_INLINE virtual_time up_times::after(node i, virtual_time t, virtual_time takes) const {
  for (;;) {
    t = up_from(i, t);
    if (t == never) return never;
    virtual_time const down = std::min({listed_from(i, t), churn_from(i, t), night_from(i, t)});
    if (takes <= down - t) return t + takes;
    takes -= down - t;
    t = down;
  }
}

GOSSIP_INLINE virtual_time up_times::both_up(node i, node j, virtual_time t) const {
  for (int missed = 0; missed < 1'000'000; ++missed) {
    virtual_time const begin = t;
    t = cuts_.joined_from(i, j, up_from(j, up_from(i, t)));
    if (t == begin) return t;
  }
  throw error("clock: outages: nodes " + std::to_string(i) + " and " + std::to_string(j) +
              " are not up together until " + exact_duration(t));
}

GOSSIP_INLINE void up_times::check(outages const &of) const {
  auto const refuse = [](std::string const &where, std::string const &expected, virtual_time got) {
    throw input_error("clock: " + where, expected, exact_duration(got));
  };
  if (of.timeout < virtual_time(0)) refuse("outages: timeout", "0s or more", of.timeout);
  if (churn_.up < virtual_time(1)) refuse("churn: up", "at least 1ns", churn_.up);
  if (churn_.down < virtual_time(0)) refuse("churn: down", "0s or more", churn_.down);
  if (nights_.day < virtual_time(1)) refuse("nights: day", "at least 1ns", nights_.day);
  if (nights_.down < virtual_time(0) || nights_.down >= nights_.day)
    refuse("nights: down", "less than the day's " + exact_duration(nights_.day), nights_.down);
  for (outage const &one : of.listed) {
    std::string const where = "clock: outage of node " + std::to_string(one.which);
    if (one.which >= nodes_)
      throw input_error(where, "a node below " + std::to_string(nodes_), std::to_string(one.which));
    if (one.from < virtual_time(0) || one.until <= one.from)
      throw input_error(where, "a time of at least 0ns and a later time",
                        exact_duration(one.from) + " and " + exact_duration(one.until));
  }
}

GOSSIP_INLINE void up_times::list(std::vector<outage> listed) {
  std::sort(listed.begin(), listed.end(), [](outage const &a, outage const &b) {
    return a.which != b.which ? a.which < b.which : a.from < b.from;
  });
  first_.assign(nodes_ + 1, 0);
  for (outage const &one : listed) {
    if (!listed_.empty() && listed_.back().which == one.which && listed_.back().until >= one.from)
      listed_.back().until = std::max(listed_.back().until, one.until);
    else
      listed_.push_back(one);
  }
  for (outage const &one : listed_) ++first_[one.which + 1];
  for (std::size_t i = 0; i < nodes_; ++i) first_[i + 1] += first_[i];
}

GOSSIP_INLINE std::size_t up_times::next_outage(node i, virtual_time t) const {
  auto const of = [&](std::size_t place) {
    return listed_.begin() + static_cast<std::ptrdiff_t>(place);
  };
  auto const next = std::partition_point(of(first_[i]), of(first_[i + 1]),
                                         [&](outage const &o) { return o.until <= t; });
  return static_cast<std::size_t>(next - listed_.begin());
}

GOSSIP_INLINE up_times::change up_times::next_change(node i, virtual_time t) const {
  std::vector<virtual_time> &known = toggles_[i];
  while (known.empty() || known.back() <= t) {
    auto const mean = known.size() % 2 == 0 ? churn_.up : churn_.down;
    double const u = 1.0 - keyed_random(seed_, purpose::outages, i, known.size()).uniform();
    virtual_time const takes =
        whole_nanoseconds(-static_cast<double>(mean.count()) * elementary::log(u), "clock: churn");
    virtual_time const last = known.empty() ? virtual_time(0) : known.back();
    if (takes >= never - last)
      throw error("clock: the run takes more than 292 years of virtual time");
    known.push_back(last + std::max(virtual_time(1), takes));
  }
  auto const next = std::upper_bound(known.begin(), known.end(), t);
  return {*next, (next - known.begin()) % 2 == 0};
}

GOSSIP_INLINE virtual_time up_times::since_night(node i, virtual_time t) const {
  double const drawn = keyed_random(seed_, purpose::outages, i, ~std::uint64_t{0}).uniform();
  virtual_time const begun(
      static_cast<std::int64_t>(drawn * static_cast<double>(nights_.day.count())));
  return (t % nights_.day + begun) % nights_.day;
}

}  // namespace gossip
