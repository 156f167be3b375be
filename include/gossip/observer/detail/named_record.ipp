// Definitions of observer/named_record.hpp.
#pragma once

#include <gossip/observer/named_record.hpp>

#include <string>
#include <vector>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void name_mark(state_visitor const &visit, progress_mark &mark) {
  std::int64_t nanoseconds = mark.time.count();
  visit.value("round", mark.round);
  visit.value("node iterations", mark.node_iterations);
  visit.value("epoch", mark.epoch);
  visit.value("virtual nanoseconds", nanoseconds);
  visit.value("bytes sent", mark.bytes_sent);
  mark.time = virtual_time(nanoseconds);
}

GOSSIP_INLINE void name_record(state_visitor const &visit, record &r) {
  name_mark(visit, r.mark);
  visit.value("wall seconds", r.wall_seconds);
  visit.value("loss", r.loss);
  std::vector<double> accuracy;
  if (r.accuracy) accuracy = {r.accuracy->mean, r.accuracy->min, r.accuracy->max, r.accuracy->std};
  visit.list("accuracy", accuracy);
  r.accuracy.reset();
  if (accuracy.size() == 4) r.accuracy = {accuracy[0], accuracy[1], accuracy[2], accuracy[3]};
  visit.optional("accuracy of the mean", r.averaged_model_accuracy);
  visit.optional("test loss", r.test_loss);
  visit.optional("consensus distance", r.consensus_distance);
  visit.optional("statistics distance", r.statistics_distance);
  std::string names;  // a line each
  std::vector<double> values;
  for (named_number const &one : r.numbers) {
    names += one.name + '\n';
    values.push_back(one.value);
  }
  visit.list("names of numbers", names);
  visit.list("numbers", values);
  r.numbers.clear();
  for (std::size_t k = 0, first = 0, end; k < values.size(); ++k, first = end + 1) {
    end = names.find('\n', first);
    r.numbers.push_back({names.substr(first, end - first), values[k]});
  }
  visit.value("evaluated nodes", r.evaluated_nodes);
  visit.value("evaluated samples", r.evaluated_samples);
  visit.value("last", r.last);
  visit.value("interrupted", r.interrupted);
}

}  // namespace gossip
