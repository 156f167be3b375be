#include "results.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "../simulate/whole_file.hpp"

namespace dbench {

void progress_lines::done(double work, std::string const &what) {
  done_ += work;
  std::chrono::duration<double> const spent = std::chrono::steady_clock::now() - begin_;
  double const share = std::min(1.0, done_ / work_);
  std::fprintf(stderr, "[%3.0f %%] %-40s %6.1f s, about %.0f s left\n", 100 * share, what.c_str(),
               spent.count(), spent.count() * (1 / share - 1));
}

std::string text(char const *form, double value) {
  std::array<char, 64> to;
  std::snprintf(to.data(), to.size(), form, value);
  return to.data();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  std::size_t const half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double mean(std::vector<double> const &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double slope(std::vector<double> const &x, std::vector<double> const &y) {
  double const x_mean = mean(x), y_mean = mean(y);
  double both = 0, squares = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    both += (x[k] - x_mean) * (y[k] - y_mean);
    squares += (x[k] - x_mean) * (x[k] - x_mean);
  }
  return both / squares;
}

namespace {

/// The text in lines of 110 characters or less where it has a semicolon to end them.
std::string in_lines(std::string const &text, std::string const &next_line) {
  constexpr std::size_t most = 110;
  std::string lines;
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t const found = text.find("; ", begin);
    std::size_t const end = found == std::string::npos ? text.size() : found + 1;
    std::string const part = text.substr(begin, end - begin);
    if (length > 0 && length + 1 + part.size() > most) {
      lines += next_line;
      length = 0;
    }
    if (length > 0) lines += ' ';
    lines += part;
    length += part.size() + 1;
    begin = end + 1;
  }
  return lines;
}

}  // namespace

void print(std::vector<finding> const &findings) {
  std::string const next_line = '\n' + std::string(15, ' ');
  char const *between = "";
  for (finding const &one : findings) {
    std::printf("%s%-4s%s\n    reference  %s\n    here       %s\n    %s\n", between,
                one.number.c_str(), one.claim.c_str(), in_lines(one.reference, next_line).c_str(),
                in_lines(one.here, next_line).c_str(), one.holds ? "holds" : "DOES NOT HOLD here");
    between = "\n";
  }
}

void make_folder(std::string const &folder) {
  simulate::make_folder(folder);
}

void write(results const &of, std::string const &folder) {
  auto const number = [](double value) {
    std::array<char, 32> to;
    return std::string(to.data(), std::to_chars(to.data(), to.data() + to.size(), value).ptr);
  };
  std::string lines = "experiment,graph,nodes,seed,quantity,round,value\n";
  for (measurement const &m : of.numbers)
    lines += m.experiment + ',' + m.graph + ',' + std::to_string(m.nodes) + ',' +
             std::to_string(m.seed) + ',' + m.quantity + ',' + number(m.at) + ',' +
             number(m.value) + '\n';
  simulate::write_whole(folder + "/results.csv", lines);
  for (chart const &one : of.charts)
    simulate::write_whole(folder + "/" + one.file, one.picture.svg());
}

}  // namespace dbench
