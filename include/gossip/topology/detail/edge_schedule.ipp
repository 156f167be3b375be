// Definitions of topology/edge_schedule.hpp.
#pragma once

#include <gossip/topology/edge_schedule.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include <gossip/core/by_round.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>
#include <gossip/topology/detail/settle.hpp>
#include <gossip/topology/detail/text_format.hpp>

namespace gossip {

GOSSIP_INLINE graph edge_schedule::build(std::uint64_t /*seed*/) const {
  if (unit == 0) throw input_error("edge_schedule: unit", "at least 1", "0");
  std::size_t columns = 0;
  std::vector<contact> const contacts = read(columns);
  std::vector<std::uint64_t> numbers;  // ascending: the place is the new number
  for (contact const &c : contacts) numbers.insert(numbers.end(), {c.from, c.to});
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  auto const renumbered = [&numbers](std::uint64_t number) {
    return static_cast<node>(std::ranges::lower_bound(numbers, number) - numbers.begin());
  };
  std::vector<graph> graphs;
  std::vector<round_number> first;
  for (std::size_t at = 0; at < contacts.size();) {
    round_number const k = contacts[at].round;
    std::vector<edge> edges;
    for (; at < contacts.size() && contacts[at].round == k; ++at)
      edges.push_back({renumbered(contacts[at].from), renumbered(contacts[at].to)});
    graphs.push_back(graph::undirected(numbers.size(), edges));
    first.push_back(k);
    if (!keep && (at == contacts.size() ? !repeats : contacts[at].round > k + 1)) {
      graphs.push_back(graph::undirected(numbers.size(), {}));
      first.push_back(k + 1);
    }
  }
  round_number const period = repeats ? first.back() + 1 : 0;
  graph made = graphs.size() == 1 ? graphs.front()
                                  : graph::changing({std::move(graphs), std::move(first), period});
  return detail::settle(std::move(made), path, allow_disconnected, largest_component)
      .without_columns(columns - 2);
}

GOSSIP_INLINE std::vector<edge_schedule::contact> edge_schedule::read(std::size_t &columns) const {
  detail::lines file(path);
  std::vector<contact> contacts;
  std::string_view line;
  std::uint64_t begin = 0, before = 0;
  while (file.next(line)) {
    if (detail::is_comment(line)) continue;
    std::string_view rest = line;
    std::uint64_t time = 0, from = 0, to = 0;
    if (!detail::take_number(rest, time) || !detail::take_number(rest, from) ||
        !detail::take_number(rest, to))
      file.fail("a time and two node numbers below 2^64", detail::lines::quoted(line));
    std::size_t const here = 2 + detail::count_columns(rest);
    if (contacts.empty()) columns = here;
    if (here != columns)
      file.fail(std::to_string(columns + 1) + " columns, as in the first line of numbers",
                detail::lines::quoted(line));
    if (contacts.empty()) begin = before = time;
    if (time < before) file.fail("times that do not descend", std::to_string(time));
    if (contacts.size() == graph::most_edges)
      file.fail("at most " + std::to_string(graph::most_edges) + " edges", "more edges");
    before = time;
    contacts.push_back({(time - begin) / unit, from, to});
  }
  if (contacts.empty()) throw input_error(path, "at least one edge", "none");
  return contacts;
}

}  // namespace gossip
