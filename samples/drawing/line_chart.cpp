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

constexpr double left = 70, right = 620, top = 40, bottom = 340;

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
  scale(axis const &a, double from, double to) : logarithmic_(a.logarithmic), from_(from), to_(to) {
    if (a.from_zero) take(0);
  }

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

  std::vector<double> marks() const { return ticks(low_, high_, logarithmic_); }

 private:
  bool logarithmic_;
  double from_, to_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -low_;
};

std::string joined(std::vector<point> const &points) {
  std::string text;
  for (point const &p : points)
    text += (text.empty() ? "M" : " L") + place_text(p.first) + " " + place_text(p.second);
  return text;
}

std::string grid(scale const &x, scale const &y) {
  std::string text;
  for (double const value : x.marks())
    text += "<path stroke=\"#ddd\" d=\"" + joined({{x.at(value), top}, {x.at(value), bottom}}) +
            "\"/>\n" + words(x.at(value), bottom + 18, label(value), "middle");
  for (double const value : y.marks())
    text += "<path stroke=\"#ddd\" d=\"" + joined({{left, y.at(value)}, {right, y.at(value)}}) +
            "\"/>\n" + words(left - 8, y.at(value) + 5, label(value), "end");
  return text;
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
    else
      out += c;
  }
  return out;
}

std::string line_chart::svg() const {
  scale x(x_, left, right), y(y_, bottom, top);
  for (curve const &c : curves_) {
    for (point const &p : c.points) x.take(p.first), y.take(p.second);
    for (auto const &[low, high] : c.band) y.take(low), y.take(high);
  }
  x.close();
  y.close();
  std::string text = grid(x, y);
  for (curve const &c : curves_) text += drawn(c, x, y);
  text += words((left + right) / 2, 24, title_, "middle") +
          words((left + right) / 2, bottom + 40, x_.title, "middle") +
          "<g transform=\"rotate(-90 16 190)\">" + words(16, 190, y_.title, "middle") + "</g>\n";
  // The legend in columns as wide as its longest name, of which a letter takes about seven.
  std::size_t longest = 0;
  for (curve const &c : curves_) longest = std::max(longest, c.name.size());
  double const wide = 50 + 7.2 * static_cast<double>(longest);
  double at = left, line = bottom + 66;
  for (curve const &c : curves_) {
    if (at > left && at + wide > right + 20) at = left, line += 20;
    text += "<path " + stroke(c) + " d=\"" + joined({{at, line}, {at + 26, line}}) + "\"/>\n" +
            words(at + 32, line + 4, c.name, "start");
    at += wide;
  }
  if (!note_.empty()) text += words(16, (line += 20) + 4, note_, "start");
  std::string const high = place_text(line + 16);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 " + high +
         "\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"640\" height=\"" + high +
         "\" fill=\"white\"/>\n" + text + "</svg>\n";
}

void write(line_chart const &c, std::string const &path) {
  std::ofstream file(path);
  if (!(file << c.svg()) || !file.flush()) throw gossip::error(path + ": cannot be written");
}

}  // namespace drawing
