// Colors, dashes and marks of lines: the same in a page and in figures.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace report {

/// Okabe and Ito's palette, whose colors people tell apart who see colors differently, without its
/// yellow, and gray for its black.
inline constexpr std::array colors{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#888888"};
inline constexpr std::array dashes{"", "8 4", "2 3", "10 3 2 3", "14 4"};

/// color and dash are places in the lists above; mark is a number for the script's shapes.
struct line_style {
  std::size_t color = 0, dash = 0, mark = 0;
};

/// The next color and the next dash: two lines of the first 35 differ in one of them.
constexpr line_style next_style(std::size_t line) {
  return {line % colors.size(), line % dashes.size(), line + line / colors.size()};
}

/// A field of the configuration that is not the same in all, as texts: one each, "-" where absent.
struct difference {
  std::string field;
  std::vector<std::string> values;
};

/// Of lines whose exchanges differ, and that the exchange and one other field tell apart: the
/// exchange's color, the field's dash and mark. The field is the topology if that will do, else it
/// has to be the only one. Other lines have the next color and the next dash each.
std::vector<line_style> styles_of(std::vector<difference> const &all, std::size_t lines);

}  // namespace report
