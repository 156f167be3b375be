// Results that runs on one process and on all ranks have in common: records, rows and reports.
#pragma once

#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>

#include <array>
#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ranks.hpp"

namespace gossip::test {

// quote records
/// Keeps the records, as a part of the run's state; the vector outlives the run.
struct keep {
  std::vector<record> *records;
  void take(record const &r) { records->push_back(r); }
  void name_state(state_visitor const &visit) {
    std::uint64_t count = records->size();
    visit.value("records", count);
    records->resize(count);
    for (std::size_t k = 0; k < count; ++k)
      name_record(visit.within(std::to_string(k)), (*records)[k]);
  }
};
// end quote

/// The results that two runs must have in common.
struct outcome {
  run_report report;
  std::vector<record> records;
  std::vector<snapshot> seen;
  std::vector<named_state> states;  // of this rank

  /// All but the states, as far as it is compared.
  void name_state(state_visitor const &visit) {
    visit.value("digest", report.digest);
    visit.value("mean cohort", report.mean_cohort);
    visit.value("node-iterations", report.node_iterations);
    visit.value("bytes sent", report.bytes_sent);
    visit.value("virtual seconds", report.virtual_seconds);
    std::uint64_t skips = report.skipped.has_value();
    visit.value("skips", skips);
    if (skips > 0) {
      skipped_steps &skipped = report.skipped ? *report.skipped : report.skipped.emplace();
      visit.value("steps", skipped.steps);
      visit.value("worst", skipped.worst);
      visit.value("most", skipped.most);
      visit.value("smallest scale", skipped.smallest_scale);
      visit.value("largest scale", skipped.largest_scale);
    }
    name_record(visit.within("last"), report.last);
    keep{&records}.name_state(visit.within("kept"));
    watch{&seen}.name_state(visit.within("seen"));
  }
};

inline void check_same(record const &a, record const &b) {
  CHECK(a.mark.round == b.mark.round);
  CHECK(a.mark.node_iterations == b.mark.node_iterations);
  CHECK(a.mark.bytes_sent == b.mark.bytes_sent);
  CHECK(a.mark.time == b.mark.time);
  if (a.mark.node_iterations > 0)
    CHECK(a.loss == b.loss);
  else
    CHECK((std::isnan(a.loss) && std::isnan(b.loss)));  // before anything is trained
  CHECK(a.consensus_distance == b.consensus_distance);
  CHECK(a.statistics_distance == b.statistics_distance);
  CHECK(a.averaged_model_accuracy == b.averaged_model_accuracy);
  CHECK(a.test_loss == b.test_loss);
  REQUIRE(a.accuracy.has_value() == b.accuracy.has_value());
  if (!a.accuracy) return;
  CHECK(a.accuracy->mean == b.accuracy->mean);
  CHECK(a.accuracy->min == b.accuracy->min);
  CHECK(a.accuracy->max == b.accuracy->max);
  CHECK(a.accuracy->std == b.accuracy->std);
}

inline void check_same(outcome const &one, outcome const &many) {
  CHECK(hex(many.report.digest) == hex(one.report.digest));
  CHECK(many.report.ranks == all_ranks().size());
  CHECK(many.report.mean_cohort == one.report.mean_cohort);
  CHECK(many.report.node_iterations == one.report.node_iterations);
  CHECK(many.report.bytes_sent == one.report.bytes_sent);
  CHECK(many.report.virtual_seconds == one.report.virtual_seconds);
  check_same(one.report.last, many.report.last);
  REQUIRE(many.report.skipped.has_value() == one.report.skipped.has_value());
  if (one.report.skipped) {
    skipped_steps const &a = *one.report.skipped, &b = *many.report.skipped;
    CHECK(b.steps == a.steps);
    CHECK(b.worst == a.worst);
    CHECK(b.most == a.most);
    CHECK(b.smallest_scale == a.smallest_scale);
    CHECK(b.largest_scale == a.largest_scale);
  }
  REQUIRE(many.seen.size() == one.seen.size());
  for (std::size_t k = 0; k < one.seen.size(); ++k) CHECK(many.seen[k].rows == one.seen[k].rows);
  if (all_ranks().rank() > 0) {  // one rank speaks
    CHECK(many.records.empty());
    return;
  }
  REQUIRE(many.records.size() == one.records.size());
  for (std::size_t k = 0; k < one.records.size(); ++k) check_same(one.records[k], many.records[k]);
}

/// A state that travels between ranks: what describes its parts is serialised, their bytes are sent
/// as they are.
struct packed_state {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint64_t>> shapes;  // kind, owners, each, bytes, the owners here
  std::vector<std::byte> bytes;                    // of a part after the other

  packed_state() = default;
  explicit packed_state(named_state const &own) {
    for (auto const &[name, part] : own.parts()) {
      names.push_back(name);
      shapes.push_back(
          {static_cast<std::uint64_t>(part.kind), part.owners, part.each, part.bytes.size()});
      shapes.back().insert(shapes.back().end(), part.held.begin(), part.held.end());
      bytes.insert(bytes.end(), part.bytes.begin(), part.bytes.end());
    }
  }
  named_state unpacked() const {
    named_state state;
    auto next = bytes.begin();
    for (std::size_t k = 0; k < names.size(); ++k) {
      auto const &shape = shapes[k];
      auto const first = next;
      next += static_cast<std::ptrdiff_t>(shape[3]);
      state.put(names[k], {static_cast<number_kind>(shape[0]),
                           shape[1],
                           shape[2],
                           {shape.begin() + 4, shape.end()},
                           {first, next}});
    }
    return state;
  }

  template <class Archive>
  void serialize(Archive &archive, unsigned) {
    archive & names & shapes;
  }
};

/// The states of a rank on all ranks.
inline void broadcast_states(std::vector<packed_state> &states, std::size_t from) {
  boost::mpi::broadcast(boost::mpi::communicator(), states, static_cast<int>(from));
  for (packed_state &one : states) {
    std::size_t bytes = 0;
    for (auto const &shape : one.shapes) bytes += shape[3];
    one.bytes.resize(bytes);
    all_ranks().broadcast(std::span(one.bytes), from);
  }
}

/// The rows that each rank has of a run's state are those of one process, and together the ranks
/// have all; what belongs to all is that of rank 0.
inline void check_rows(named_state const &whole, named_state const &own) {
  bool const first = all_ranks().rank() == 0;
  named_state joined;  // of own rows, and for the rest the whole
  std::vector<std::string> foreign;
  for (auto const &[name, part] : own.parts()) {
    auto const of = whole.parts().find(name);
    bool const compared = first || part.owners > 0;
    if (of == whole.parts().end() ||
        (compared && (of->second.kind != part.kind || of->second.owners != part.owners ||
                      of->second.each != part.each)))
      foreign.push_back(name);
    else if (part.owners == 0 ? first : !part.held.empty())
      joined.put(name, part);
  }
  CHECK(foreign == std::vector<std::string>{});
  joined.add(whole);
  check_same(whole, joined);
  if (first) CHECK(own.parts().size() == whole.parts().size());

  std::vector<std::vector<node>> held;  // of each part
  for (auto const &[name, part] : whole.parts()) {
    auto const here = own.parts().find(name);
    held.push_back(here == own.parts().end() ? std::vector<node>{} : here->second.held);
  }
  std::vector<std::set<node>> together(held.size());
  for (auto const &rank : all_ranks().all_gather(held))
    for (std::size_t k = 0; k < together.size(); ++k)
      together[k].insert(rank.at(k).begin(), rank.at(k).end());
  std::vector<std::string> incomplete;
  for (std::size_t k = 0; auto const &[name, part] : whole.parts())
    if (together[k++].size() != part.held.size()) incomplete.push_back(name);
  CHECK(incomplete == std::vector<std::string>{});
}

/// The outcomes of make(0), make(1) and so on, as many as `count`, on all ranks: each is made by
/// one of them, so that ranks make several at once and none twice. Throws on all ranks where one
/// fails.
template <class Make>
std::vector<outcome> outcomes_by_ranks(std::size_t count, Make make) {
  std::size_t const rank = all_ranks().rank(), size = all_ranks().size();
  std::vector<outcome> all(count);
  std::string fault;
  try {
    for (std::size_t k = rank; k < count; k += size) all[k] = make(k);
  } catch (std::exception const &thrown) {
    fault = thrown.what();
  } catch (...) {
    fault = "no std::exception, as a REQUIRE of Catch2, on rank " + std::to_string(rank);
  }
  for (std::string const &one : all_ranks().all_gather(fault))
    if (!one.empty()) throw error(one);
  for (std::size_t k = 0; k < count; ++k) {
    auto const named = [&](state_visitor const &visit) { all[k].name_state(visit); };
    std::vector<packed_state> sent;
    if (rank == k % size) {
      sent.emplace_back(named_state::of(named));
      for (named_state const &state : all[k].states) sent.emplace_back(state);
    }
    broadcast_states(sent, k % size);
    if (rank == k % size) continue;
    sent.front().unpacked().restore(named);
    for (std::size_t m = 1; m < sent.size(); ++m) all[k].states.push_back(sent[m].unpacked());
  }
  return all;
}

/// f(outcome, period) for the outcomes of make(period), runs of one process, in this order; only
/// the last keeps its states, from which ranks go on.
template <std::size_t Count, class Make, class F>
void each_period(std::array<std::uint64_t, Count> const &periods, Make make, F f) {
  auto const all = outcomes_by_ranks(Count, [&](std::size_t k) {
    outcome made = make(periods[k]);
    if (k + 1 < Count) made.states.clear();
    return made;
  });
  for (std::size_t k = 0; k < Count; ++k) f(all[k], periods[k]);
}

/// Law 8 for ranks: together they have the state of one process at the end of every window, and go
/// on with their own parts of it and with that of one process. resumed(settings): a run on all
/// ranks.
template <class Resumed>
void check_states(outcome const &one, outcome const &many, run_settings settings, Resumed resumed) {
  REQUIRE(many.states.size() == one.states.size());
  for (std::size_t k = 0; k < one.states.size(); ++k) {
    CAPTURE(k);
    check_rows(one.states[k], many.states[k]);
    for (named_state const *const from : {&many.states[k], &one.states[k]}) {
      settings.state = from;
      outcome after = resumed(settings);
      if (all_ranks().rank() > 0) after.records.clear();  // those before the state
      check_same(one, after);
    }
  }
}

/// looks: whether a test set is there for accuracy. period: how often all are looked at.
template <class Model, class Simulator, class... Data>
outcome outcome_of(Simulator network, run_settings const &settings, std::uint64_t period,
                   Data const &...data) {
  outcome result;
  auto const run = [&](auto... accuracies) {
    result.report =
        network.run(settings, data...,
                    every(rounds{period}, accuracies..., consensus_distance{}, watch{&result.seen}),
                    keep{&result.records}, keep_states{&result.states});
  };
  if constexpr (Model::learns_from_samples)
    run(accuracy{tiny_images(), {.nodes = 3, .samples = 70}});
  else
    run();
  return result;
}

}  // namespace gossip::test
