#include "styles.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace report {

namespace {

using texts = std::vector<std::string>;

/// 0 for the first text and its equals, 1 for the next other one, and so on.
std::vector<std::size_t> places_of(texts const &values) {
  texts known;
  std::vector<std::size_t> places;
  for (std::string const &value : values) {
    auto const at = std::find(known.begin(), known.end(), value);
    places.push_back(static_cast<std::size_t>(at - known.begin()));
    if (at == known.end()) known.push_back(value);
  }
  return places;
}

std::size_t kinds(texts const &values) {
  return std::set<std::string>(values.begin(), values.end()).size();
}

/// Whether a field has values enough, and no more than there are dashes, to tell lines of one
/// exchange apart.
bool tells_apart(texts const &exchanges, texts const &values) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (std::size_t s = 0; s < values.size(); ++s) pairs.emplace(exchanges[s], values[s]);
  return pairs.size() == values.size() && kinds(values) <= dashes.size();
}

/// The values of the field that dashes stand for; none where there is no such field, or several.
texts const *other_than(difference const &exchange, std::vector<difference> const &all) {
  texts const *found = nullptr;
  for (difference const &d : all) {
    if (&d == &exchange || d.field == "name" || !tells_apart(exchange.values, d.values)) continue;
    if (d.field == "topology") return &d.values;
    if (found != nullptr) return nullptr;
    found = &d.values;
  }
  return found;
}

}  // namespace

std::vector<line_style> styles_of(std::vector<difference> const &all, std::size_t lines) {
  std::vector<line_style> styles;
  for (std::size_t s = 0; s < lines; ++s) styles.push_back(next_style(s));
  auto const exchange = std::find_if(all.begin(), all.end(),
                                     [](difference const &d) { return d.field == "exchange"; });
  if (exchange == all.end() || kinds(exchange->values) == lines ||
      kinds(exchange->values) > colors.size())
    return styles;
  texts const *const other = other_than(*exchange, all);
  if (other == nullptr) return styles;
  auto const color = places_of(exchange->values), dash = places_of(*other);
  for (std::size_t s = 0; s < lines; ++s) styles[s] = {color[s], dash[s], dash[s]};
  return styles;
}

}  // namespace report
