// A timeline as a file for Perfetto (ui.perfetto.dev) and chrome://tracing. Source: "Trace Event
// Format" of the Chromium project: complete events (X), asynchronous events (b, e), metadata (M).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <gossip/clock/timeline.hpp>
#include <gossip/core/node.hpp>
#include <gossip/simulator/network_use.hpp>

namespace gossip {

namespace detail {

template <class Json = nlohmann::ordered_json>
Json trace_event(char const *kind, std::string const &name, node owner, virtual_time at) {
  Json entry;
  entry["name"] = name;
  entry["ph"] = kind;
  entry["pid"] = owner;
  entry["tid"] = 0;
  entry["ts"] = static_cast<double>(at.count()) * 1e-3;
  return entry;
}

}  // namespace detail

/// Writes what the first nodes did: a process a node with its trainings, and with "waiting" between
/// them; messages with the node that sends them, "to" another, as far as that is one of the first,
/// or with the one that receives them, "from" another. Times in microseconds of virtual time.
template <class Json = nlohmann::ordered_json>
void write_trace(std::ostream &out, network_use const &use) {
  char const *separator = "\n";
  auto const put = [&](Json const &entry) {
    out << separator << entry.dump();
    separator = ",\n";
  };
  out << "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  for (node i = 0; i < use.traced; ++i) {
    Json named = detail::trace_event<Json>("M", "process_name", i, virtual_time{0});
    named["args"]["name"] = "node " + std::to_string(i);
    put(named);
    Json thread = detail::trace_event<Json>("M", "thread_name", i, virtual_time{0});
    thread["args"]["name"] = "node " + std::to_string(i);
    put(thread);
    Json sorted = detail::trace_event<Json>("M", "process_sort_index", i, virtual_time{0});
    sorted["args"]["sort_index"] = i;
    put(sorted);
  }
  auto const span = [&](char const *name, node i, virtual_time begin, virtual_time end) {
    Json entry = detail::trace_event<Json>("X", name, i, begin);
    entry["dur"] = static_cast<double>((end - begin).count()) * 1e-3;
    put(entry);
  };
  std::vector<virtual_time> free_at(use.traced, virtual_time{0});
  std::uint64_t number = 0;
  for (timed_activity const &one : use.activities) {
    if (one.is_training()) {
      if (one.begin > free_at[one.who]) span("waiting", one.who, free_at[one.who], one.begin);
      span("training", one.who, one.begin, one.end);
      free_at[one.who] = one.end;
      continue;
    }
    bool const sends = one.who < use.traced;
    node const shown = sends ? one.who : one.to;
    std::string const name =
        sends ? "to " + std::to_string(one.to) : "from " + std::to_string(one.who);
    for (bool const begins : {true, false}) {
      Json entry =
          detail::trace_event<Json>(begins ? "b" : "e", name, shown, begins ? one.begin : one.end);
      entry["cat"] = "message";
      entry["id2"]["local"] = std::to_string(number);  // a track of the node, not of all
      if (begins) entry["args"] = Json{{"from", one.who}, {"to", one.to}, {"bytes", one.bytes}};
      put(entry);
    }
    ++number;
  }
  out << "\n]}\n";
}

}  // namespace gossip
