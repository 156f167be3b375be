// gossip-report: a page with charts and tables of what gossip-simulate wrote, and SVGs for papers.
#include <array>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>

#include "report/arguments.hpp"
#include "report/figures.hpp"
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
    throw gossip::input_error(path, "nothing there, or --overwrite, which replaces it", "a file");
}

int start(arguments const &given) {
  if (given.help) return std::cout << help_text, 0;
  bool const page_wanted = given.svg.empty() || !given.out.empty();
  std::string const page = page_path(given);
  if (page_wanted && chart_library.empty())
    throw gossip::input_error(
        "gossip-report: built without Chart.js, which draws the page; install libjs-chart.js, "
        "configure and build again, or ask for --svg alone");
  if (page_wanted && !given.overwrite) refuse_earlier(page);

  run_list const runs = runs_in(given.folders);
  std::vector<series> const all = series_of(runs.runs);
  auto const axes = horizontal_axes(runs.runs, given.from == 0);
  std::vector<chart> const charts = charts_of(all, given.from);
  if (!given.svg.empty()) {
    auto const files = figures_of(charts, axes);
    for (auto const &[name, svg] : files)
      if (!given.overwrite) refuse_earlier(given.svg + "/" + name + ".svg");
    simulate::make_folder(given.svg);
    for (auto const &[name, svg] : files)
      simulate::write_whole(given.svg + "/" + name + ".svg", svg);
    std::cout << "charts  " << given.svg << ", " << files.size() << " SVG files\n";
  }
  if (page_wanted) {
    simulate::write_whole(page, page_of(runs, all, charts, axes, networks_of(runs.runs)));
    std::cout << "page    " << page << '\n';
  }
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
