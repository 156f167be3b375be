#include "line_chart.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>

#include <gossip/core/error.hpp>

namespace drawing {

namespace {

constexpr double width = 440, right = 424, plot_height = 230, line_height = 17, edge = 14;
constexpr double letter = 7.6, digit = 8.3;  // mean widths in a wide sans-serif of size 13

/// Not one of the further bytes of a letter in UTF-8.
bool begins_letter(char c) {
  return (c & 0xc0) != 0x80;
}

double width_of(std::string const &text) {
  return letter * static_cast<double>(std::count_if(text.begin(), text.end(), begins_letter));
}

/// Broken behind spaces, commas and slashes; a word that is longer than the room, where that ends.
std::vector<std::string> in_lines(std::string text, double room) {
  std::vector<std::string> lines;
  while (width_of(text) > room) {
    std::size_t fits = 0;
    for (double taken = 0;; ++fits)
      if (begins_letter(text[fits]) && (taken += letter) > room) break;
    std::size_t const last = text.find_last_of(" ,/", fits - 1);
    std::size_t const end = last == std::string::npos ? fits : last + 1;
    lines.push_back(text.substr(0, end));
    text.erase(0, end);
  }
  lines.push_back(text);
  return lines;
}

/// As many digits as a picture needs.
std::string place_text(double value) {
  std::array<char, 32> text;
  double const tenths = std::round(10 * value) / 10;
  auto const end = std::to_chars(text.data(), text.data() + text.size(), tenths).ptr;
  return {text.data(), end};
}

std::string label(double value) {
  std::array<char, 32> text;
  double const size = std::abs(value);
  auto const form = size != 0 && (size < 1e-3 || size >= 1e6) ? std::chars_format::scientific
                                                              : std::chars_format::fixed;
  double const rounded = size == 0 ? 0 : value;
  std::string all{text.data(),
                  std::to_chars(text.data(), text.data() + text.size(), rounded, form).ptr};
  if (std::size_t const at = all.find("e-0"); at != std::string::npos) all.erase(at + 2, 1);
  if (std::size_t const at = all.find("e+0"); at != std::string::npos) all.erase(at + 1, 2);
  return all;
}

std::string words(double x, double y, std::string const &text, char const *anchor) {
  return "<text x=\"" + place_text(x) + "\" y=\"" + place_text(y) + "\" text-anchor=\"" + anchor +
         "\">" + escaped(text) + "</text>\n";
}

/// The values of an axis, and where they are on the paper.
class scale {
 public:
  explicit scale(axis const &a) : logarithmic_(a.logarithmic) {
    if (a.from_zero) take(0);
  }

  void place(double from, double to) { from_ = from, to_ = to; }

  bool has(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }

  void take(double value) {
    if (!has(value)) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }

  /// After the last value: a little air, and a range where there was one value or none.
  void close() {
    if (low_ > high_) low_ = high_ = logarithmic_ ? 1 : 0;
    if (low_ == high_) {
      double const air = std::abs(low_) / 10;
      low_ = logarithmic_ ? low_ / 2 : low_ - air;
      high_ = logarithmic_ ? high_ * 2 : high_ == 0 ? 1 : high_ + air;
    }
  }

  double at(double value) const {
    auto const on_axis = [&](double v) { return logarithmic_ ? std::log10(v) : v; };
    double const first = on_axis(low_), part = (on_axis(value) - first) / (on_axis(high_) - first);
    return from_ + (to_ - from_) * std::clamp(part, -1.0, 2.0);
  }

  /// Of a short stretch of a logarithmic axis as of a linear one.
  std::vector<double> marks() const {
    auto const values = ticks(low_, high_, logarithmic_);
    return values.size() > 1 ? values : ticks(low_, high_, false);
  }

 private:
  bool logarithmic_;
  double from_ = 0, to_ = 1;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

std::string joined(std::vector<point> const &points) {
  std::string text;
  for (point const &p : points)
    text += (text.empty() ? "M" : " L") + place_text(p.first) + " " + place_text(p.second);
  return text;
}

/// Where the plot is on the paper: titles and numbers of its axes take what room they need.
struct frame {
  std::vector<std::string> title, x_title, y_title;
  double left, top;

  double bottom() const { return top + plot_height; }
  double middle() const { return (left + right) / 2; }
};

frame framed(std::string const &title, axis const &x, axis const &y, scale const &values) {
  frame f{in_lines(title, width - 20), in_lines(x.title, width - 20),
          in_lines(y.title, plot_height + 60), 0, 0};
  double numbers = 0;
  for (double const value : values.marks())
    numbers = std::max(numbers, digit * static_cast<double>(label(value).size()));
  f.left = std::max(60.0, line_height * static_cast<double>(f.y_title.size()) + 14 + numbers);
  f.top = 16 + line_height * static_cast<double>(f.title.size());
  return f;
}

/// Lines of text below each other.
std::string block(double x, double y, std::vector<std::string> const &lines, char const *anchor) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += words(x, y + line_height * static_cast<double>(i), lines[i], anchor);
  return text;
}

/// Numbers that have no room beside those before them are left out.
std::string grid(frame const &f, scale const &x, scale const &y) {
  std::string text;
  double taken = 0;
  for (double const value : x.marks()) {
    double const at = x.at(value), half = digit / 2 * static_cast<double>(label(value).size());
    text += "<path stroke=\"#ddd\" d=\"" + joined({{at, f.top}, {at, f.bottom()}}) + "\"/>\n";
    double const center = std::min(at, width - 2 - half);
    if (center - half < taken) continue;
    text += words(center, f.bottom() + 21, label(value), "middle");
    taken = center + half + 4;
  }
  for (double const value : y.marks())
    text += "<path stroke=\"#ddd\" d=\"" + joined({{f.left, y.at(value)}, {right, y.at(value)}}) +
            "\"/>\n" + words(f.left - 8, y.at(value) + 5, label(value), "end");
  return text;
}

std::string titles(frame const &f) {
  std::string const middle = place_text(f.top + plot_height / 2);
  std::string text = block(width / 2, 20, f.title, "middle") +
                     block(f.middle(), f.bottom() + 40, f.x_title, "middle");
  return text + "<g transform=\"rotate(-90 16 " + middle + ")\">" +
         block(16, f.top + plot_height / 2, f.y_title, "middle") + "</g>\n";
}

std::string stroke(curve const &c) {
  return "stroke=\"" + c.color + "\" fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"" +
         (c.dashes.empty() ? "" : " stroke-dasharray=\"" + c.dashes + "\"");
}

std::string drawn(curve const &c, scale const &x, scale const &y) {
  std::vector<point> line, lower, upper;
  for (std::size_t i = 0; i < c.points.size(); ++i) {
    auto const [from, value] = c.points[i];
    if (!x.has(from) || !y.has(value)) continue;
    line.emplace_back(x.at(from), y.at(value));
    if (c.band.empty()) continue;
    auto const [low, high] = c.band[i];
    lower.emplace_back(x.at(from), y.at(y.has(low) ? low : value));
    upper.emplace_back(x.at(from), y.at(y.has(high) ? high : value));
  }
  std::string text;
  if (c.ends_apart && line.size() > 1) {
    auto const [across, up] = line.back();
    if (!lower.empty()) {
      text += "<path " + stroke(c) + " d=\"" + joined({lower.back(), upper.back()}) + "\"/>\n";
      lower.pop_back();
      upper.pop_back();
    }
    text += "<circle r=\"3.5\" fill=\"white\" stroke=\"" + c.color + "\" stroke-width=\"2\" cx=\"" +
            place_text(across) + "\" cy=\"" + place_text(up) + "\"/>\n";
    line.pop_back();
  }
  if (lower.size() > 1) {
    upper.insert(upper.end(), lower.rbegin(), lower.rend());
    text += "<path fill=\"" + c.color + "\" fill-opacity=\"0.18\" d=\"" + joined(upper) + "Z\"/>\n";
  }
  text += "<path " + stroke(c) + " d=\"" + joined(line) + "\"/>\n";
  if (c.marks)
    for (point const &p : line)
      text += "<circle r=\"3.5\" fill=\"" + c.color + "\" cx=\"" + place_text(p.first) +
              "\" cy=\"" + place_text(p.second) + "\"/>\n";
  return text;
}

/// In columns as wide as the longest name, from a place downwards, which moves below it.
std::string legend(std::vector<curve> const &curves, double &line) {
  constexpr double sample = 34, gap = 6;
  std::vector<std::vector<std::string>> names;
  double longest = 0;
  for (curve const &c : curves) {
    names.push_back(in_lines(c.name, width - 2 * edge - sample - gap));
    for (std::string const &part : names.back()) longest = std::max(longest, width_of(part));
  }
  double const wide = sample + gap + longest + 12;
  auto const columns =
      std::max<std::size_t>(1, static_cast<std::size_t>((width - 2 * edge + 12) / wide));
  std::string text;
  for (std::size_t i = 0; i < curves.size();) {
    std::size_t most = 1;
    for (double at = edge; i < curves.size(); at += wide) {
      text += "<path " + stroke(curves[i]) + " d=\"" + joined({{at, line}, {at + sample, line}}) +
              "\"/>\n" + block(at + sample + gap, line + 4, names[i], "start");
      most = std::max(most, names[i].size());
      if (++i % columns == 0) break;
    }
    line += line_height * static_cast<double>(most);
  }
  return text;
}

}  // namespace

std::vector<double> ticks(double low, double high, bool logarithmic) {
  std::vector<double> values;
  if (!logarithmic) {
    double const rough = (high - low) / 6;
    double const power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (double const digit : {5.0, 2.0, 1.0})
      if (digit * power >= rough * 0.999) step = digit * power;
    // Decimal fractions are divided by a whole number: 0.3, not 0.30000000000000004.
    double const first = std::ceil(low / step - 1e-9);
    for (int i = 0; i < 10 && (first + i) * step <= high + 1e-9 * step; ++i)
      values.push_back(step < 1 ? (first + i) / std::round(1 / step) : (first + i) * step);
    return values;
  }
  double const decades = std::log10(high) - std::log10(low);
  int const apart = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  int const first = static_cast<int>(std::floor(std::log10(low)));
  for (int k = first; k <= first + static_cast<int>(decades) + 2; ++k) {
    if (k % apart != 0) continue;
    double const power = k < 0 ? 1 / std::pow(10, -k) : std::pow(10, k);
    for (double const digit : {1.0, 2.0, 5.0}) {
      double const value = k < 0 ? digit / std::pow(10, -k) : digit * power;
      bool const inside = value >= low * 0.999 && value <= high * 1.001;
      if (inside && (digit == 1 || decades < 3)) values.push_back(value);
    }
  }
  return values;
}

std::string escaped(std::string const &text) {
  std::string out;
  for (char const c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n')
      out += "\xef\xbf\xbd";  // XML has no place for other control characters
    else
      out += c;
  }
  return out;
}

std::string line_chart::svg() const {
  scale y(y_);
  for (curve const &c : curves_) {
    for (point const &p : c.points) y.take(p.second);
    for (auto const &[low, high] : c.band) y.take(low), y.take(high);
  }
  y.close();
  frame const f = framed(title_, x_, y_, y);
  y.place(f.bottom(), f.top);
  scale x(x_);
  for (curve const &c : curves_)
    for (point const &p : c.points) x.take(p.first);
  x.close();
  x.place(f.left, right);

  std::string text = grid(f, x, y);
  for (curve const &c : curves_) text += drawn(c, x, y);
  text += titles(f);
  double line = f.bottom() + 44 + line_height * static_cast<double>(f.x_title.size());
  text += legend(curves_, line);
  if (!note_.empty()) {
    auto const lines = in_lines(note_, width - 2 * edge);
    text += block(edge, (line += 4) + 4, lines, "start");
    line += line_height * static_cast<double>(lines.size());
  }
  std::string const high = place_text(line - 3);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 440 " + high +
         "\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"440\" height=\"" + high +
         "\" fill=\"white\"/>\n" + text + "</svg>\n";
}

void write(line_chart const &c, std::string const &path) {
  std::ofstream file(path);
  if (!(file << c.svg()) || !file.flush()) throw gossip::error(path + ": cannot be written");
}

}  // namespace drawing
