// A small chart as SVG: lines over two logarithmic axes, with a legend.
#pragma once

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gossip/clock/units.hpp>
#include <gossip/core/error.hpp>

namespace live_sample {

/// Points (x, y) with x, y > 0. A dashed line has no marks.
struct curve {
  std::string name, color;
  std::vector<std::pair<double, double>> points;
  bool dashed = false;
};

class chart {
 public:
  chart(std::string title, std::string x, std::string y)
      : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {}

  void add(curve c) { curves_.push_back(std::move(c)); }

  std::string svg() const {
    std::ostringstream out;
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 400\" "
           "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"640\" height=\"400\" "
           "fill=\"white\"/>\n"
        << text(320, 24, title_, "middle") << text(300, 390, x_, "middle")
        << "<g transform=\"rotate(-90 16 200)\">" << text(16, 200, y_, "middle") << "</g>\n";
    auto const [left, right] = range(&std::pair<double, double>::first);
    auto const [low, high] = range(&std::pair<double, double>::second);
    auto const at = [=, &out](std::pair<double, double> p) {
      out << 70 + 400 * place(p.first, left, right) << ' '
          << 350 - 300 * place(p.second, low, high);
    };
    for (double x : ticks(left, right)) {
      out << "<path stroke=\"#ddd\" d=\"M", at({x, low}), out << " L", at({x, high});
      out << "\"/>\n" << text(70 + 400 * place(x, left, right), 368, label(x), "middle");
    }
    for (double y : ticks(low, high)) {
      out << "<path stroke=\"#ddd\" d=\"M", at({left, y}), out << " L", at({right, y});
      out << "\"/>\n" << text(62, 355 - 300 * place(y, low, high), label(y), "end");
    }
    double legend = 60;
    for (curve const &c : curves_) {
      std::string const stroke = "stroke=\"" + c.color + "\" fill=\"none\" stroke-width=\"2\"" +
                                 (c.dashed ? " stroke-dasharray=\"5 4\"" : "");
      out << "<path " << stroke << " d=\"";
      for (std::size_t i = 0; i < c.points.size(); ++i) {
        out << (i == 0 ? 'M' : 'L');
        at(c.points[i]);
      }
      out << "\"/>\n";
      for (auto const &p : c.points)
        if (!c.dashed)
          out << "<circle r=\"4\" fill=\"" << c.color << "\" transform=\"translate(", at(p),
              out << ")\"/>\n";
      out << "<path " << stroke << " d=\"M485 " << legend << "h24\"/>\n"
          << text(515, legend + 4, c.name, "start");
      legend += 22;
    }
    out << "</svg>\n";
    return out.str();
  }

 private:
  static std::string text(double x, double y, std::string const &words, char const *anchor) {
    std::ostringstream out;
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << "\">" << words
        << "</text>\n";
    return out.str();
  }

  static std::string label(double value) { return gossip::detail::shortest(value); }

  static double place(double value, double low, double high) {
    return high > low ? std::log(value / low) / std::log(high / low) : 0.5;
  }

  template <class Member>
  std::pair<double, double> range(Member member) const {
    double low = 1e300, high = 0;
    for (curve const &c : curves_)
      for (auto const &p : c.points) {
        low = std::min(low, p.*member);
        high = std::max(high, p.*member);
      }
    return {low, high};
  }

  /// 1, 2 and 5 times powers of ten between the two.
  static std::vector<double> ticks(double low, double high) {
    std::vector<double> values;
    for (double power = 1e-6; power <= high; power *= 10)
      for (double const digit : {1.0, 2.0, 5.0})
        if (digit * power >= low * 0.999 && digit * power <= high * 1.001)
          values.push_back(digit * power);
    return values;
  }

  std::string title_, x_, y_;
  std::vector<curve> curves_;
};

/// Throws gossip::error where the file cannot be written.
inline void write(chart const &c, std::string const &path) {
  std::ofstream file(path);
  if (!(file << c.svg()) || !file.flush()) throw gossip::error(path + ": cannot be written");
}

}  // namespace live_sample
