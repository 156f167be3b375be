// gossip-report: a page with charts and tables of what gossip-simulate wrote, and figures for
// papers.
#include <array>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

#include "drawing/pdf.hpp"
#include "report/arguments.hpp"
#include "report/figures.hpp"
#include "report/labels.hpp"
#include "report/page.hpp"
#include "simulate/whole_file.hpp"

namespace report {

namespace {

std::string page_path(arguments const &given) {
  if (!given.out.empty()) return given.out;
  if (given.folders.size() > 1) return "report.html";
  return (std::filesystem::path(given.folders.front()) / "report.html").string();
}

void refuse_earlier(std::string const &path) {
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    throw gossip::input_error(path, "a path that does not exist, or --overwrite, which replaces it",
                              "a file");
}

using outputs = std::vector<std::pair<std::string, std::string>>;  // path and content

void add_figures(std::vector<figure> const &figures, arguments const &given, outputs &to) {
  constexpr double column_width = 252;  // points, of two columns on letter paper
  for (figure const &f : figures) {
    if (!given.svg.empty()) to.emplace_back(given.svg + "/" + f.name + ".svg", f.svg);
    if (!given.pdf.empty())
      to.emplace_back(given.pdf + "/" + f.name + ".pdf", drawing::pdf(f.svg, column_width));
  }
}

/// What is missing is found before anything is read.
void require_libraries(arguments const &given, bool page_wanted) {
  if (page_wanted && chart_library.empty())
    throw gossip::input_error(
        "gossip-report: built without Chart.js, which draws the page; install libjs-chart.js, "
        "configure and build again, or ask for --svg alone");
  if (!given.pdf.empty() && !drawing::draws_pdf)
    throw gossip::input_error(
        "gossip-report: built without librsvg, which draws PDF; install librsvg2-dev, configure "
        "and build again, or ask for --svg");
}

int start(arguments const &given) {
  if (given.help) return std::cout << help_text, 0;
  bool const page_wanted = (given.svg.empty() && given.pdf.empty()) || !given.out.empty();
  std::string const page = page_path(given);
  require_libraries(given, page_wanted);
  if (page_wanted && !given.overwrite) refuse_earlier(page);

  run_list const runs = runs_in(given.folders);
  std::vector<series> all = series_of(runs.runs);
  auto axes = horizontal_axes(runs.runs, given.from == 0);
  std::vector<chart> charts = charts_of(all, given.from);
  label_lines(given.labels, all, charts);
  label_axes(given.axes, charts, axes);

  outputs written;
  if (page_wanted)
    written.emplace_back(page, page_of(runs, all, charts, axes, networks_of(runs.runs)));
  auto const figures = figures_of(charts, axes);
  add_figures(figures, given, written);
  for (auto const &[path, text] : written)
    if (!given.overwrite) refuse_earlier(path);
  for (std::string const &folder : {given.svg, given.pdf})
    if (!folder.empty()) simulate::make_folder(folder);
  simulate::write_all(written);
  if (!given.svg.empty())
    std::cout << "charts  " << given.svg << ", " << figures.size() << " SVG files\n";
  if (!given.pdf.empty())
    std::cout << "charts  " << given.pdf << ", " << figures.size() << " PDF files\n";
  if (page_wanted) std::cout << "page    " << page << '\n';
  return 0;
}

int fail(std::string const &sentence, int status) {
  std::cout.flush();
  std::cerr << sentence << '\n';
  return status;
}

}  // namespace

}  // namespace report

int main(int count, char **words) {
  using namespace report;
  try {
    int const status = start(parse({words + 1, words + count}));
    if (!std::cout.flush()) return fail("standard output: cannot be written", 1);
    return status;
  } catch (gossip::input_error const &fault) {
    return fail(fault.what(), 2);
  } catch (std::bad_alloc const &) {
    return fail("memory: there is not enough for this report", 1);
  } catch (std::exception const &fault) {
    return fail(fault.what(), 1);
  }
}
