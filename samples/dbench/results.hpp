// What experiments find: findings beside what was published, numbers, charts; and how far they are.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../drawing/line_chart.hpp"

namespace dbench {

/// A statement of the reference, checked here.
struct finding {
  std::string number, claim;    // F1 to F7, or Ada
  std::string reference, here;  // figures
  bool holds = false;
};

/// A line of results.csv.
struct measurement {
  std::string experiment, graph;
  std::size_t nodes = 0;
  std::uint64_t seed = 0;
  std::string quantity;
  double at = 0;  ///< the round, or 0
  double value = 0;
};

struct chart {
  std::string file;
  drawing::line_chart picture;
};

struct results {
  std::vector<finding> findings;
  std::vector<measurement> numbers;
  std::vector<chart> charts;
};

/// Says on standard error what has been done and how long the rest will take.
class progress_lines {
 public:
  explicit progress_lines(double work) : work_(work) {}

  /// So much of the work is done, of which this was the last.
  void done(double work, std::string const &what);

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double work_, done_ = 0;
};

/// As printf does with one or more numbers: "%.3g".
std::string text(char const *form, double value);

double median(std::vector<double> values);
double mean(std::vector<double> const &values);

/// The least-squares slope of y over x.
double slope(std::vector<double> const &x, std::vector<double> const &y);

void print(std::vector<finding> const &findings);

/// The folder of results, and those above it; throws input_error where it cannot be.
void make_folder(std::string const &folder);

/// results.csv and the charts, each whole or not at all; throws as make_folder does.
void write(results const &of, std::string const &folder);

}  // namespace dbench
