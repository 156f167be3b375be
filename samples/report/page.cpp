#include "page.hpp"

#include <sstream>

#include <gossip/clock/units.hpp>

#include "../drawing/line_chart.hpp"
#include "plans.hpp"
#include "tables.hpp"

namespace report {

namespace {

using drawing::escaped;

json column_of(chart_line const &line, double chart_point::*member) {
  json values = json::array();
  for (chart_point const &p : line.points) values.push_back(p.*member);
  return values;
}

json to_json(chart_line const &line, std::array<horizontal_axis, 3> const &axes) {
  json j{{"name", line.name},
         {"series", line.series},
         {"color", line.style.color},
         {"dash", line.style.dash},
         {"mark", line.style.mark}};
  if (line.ends_apart) j["ends_apart"] = true;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    json values = json::array();
    for (chart_point const &p : line.points) values.push_back(p.x[a]);
    j["x"][axes[a].column] = std::move(values);
  }
  j["y"] = column_of(line, &chart_point::y);
  if (line.banded) {
    j["low"] = column_of(line, &chart_point::low);
    j["high"] = column_of(line, &chart_point::high);
  }
  return j;
}

/// What the script draws.
std::string data_of(std::vector<chart> const &charts, std::array<horizontal_axis, 3> const &axes) {
  json j;
  for (horizontal_axis const &a : axes)
    j["axes"].push_back({{"column", a.column},
                         {"title", a.title},
                         {"factor", a.factor},
                         {"from_zero", a.from_zero}});
  for (char const *const d : dashes) {
    json gaps = json::array();
    std::istringstream text(d);
    for (int length = 0; text >> length;) gaps.push_back(length);
    j["dashes"].push_back(gaps);
  }
  j["most_bands"] = most_bands;
  for (chart const &c : charts) {
    json lines = json::array();
    for (chart_line const &line : c.lines) lines.push_back(to_json(line, axes));
    j["charts"].push_back({{"key", c.key},
                           {"title", c.title},
                           {"axis", c.axis},
                           {"factor", c.factor},
                           {"logarithmic", c.logarithmic},
                           {"lines", std::move(lines)}});
  }
  return safe_in_script(j.dump(-1, ' ', false, json::error_handler_t::replace));
}

std::string palette() {
  std::string text = ":root {";
  for (std::size_t c = 0; c < colors.size(); ++c)
    text += " --color" + std::to_string(c) + ": " + colors[c] + ";";
  return text + " }\n";
}

std::string switches(std::vector<series> const &all, std::array<horizontal_axis, 3> const &axes) {
  std::string text =
      "<form id=\"switches\" class=\"screen\">\n<fieldset><legend>charts by</legend>";
  for (std::size_t a = 0; a < axes.size(); ++a)
    text += "<label><input type=\"radio\" name=\"by\" value=\"" + std::to_string(a) + "\"" +
            (a == 0 ? " checked" : "") + "><span>" + axes[a].word + "</span></label>";
  text += "</fieldset>\n";
  if (all.size() > 1) {
    text += "<fieldset class=\"lines\"><legend>lines</legend>";
    if (all.size() > most_bands)
      text +=
          "<button type=\"button\" value=\"all\">all</button>"
          "<button type=\"button\" value=\"none\">none</button>";
    for (std::size_t s = 0; s < all.size(); ++s)
      text += "<label><input type=\"checkbox\" name=\"series\" value=\"" + std::to_string(s) +
              "\" checked>" + swatch(all[s].style) + escaped(all[s].name) + "</label>";
    text += "</fieldset>\n";
  }
  return text + "</form>\n";
}

std::string html_of(chart const &c) {
  std::string text = "<figure><h3>" + escaped(c.title) + "</h3>\n";
  if (c.lines.size() > 1 && c.lines.front().series == c.lines.back().series) {
    text += "<p class=\"key\">";
    for (chart_line const &line : c.lines)
      text += "<span>" + swatch(line.style) + escaped(line.name) + "</span> ";
    text += "</p>\n";
  }
  text += "<div class=\"plot\"><canvas id=\"" + escaped(c.key) + "\" role=\"img\" aria-label=\"" +
          escaped(c.title) + "\"></canvas></div>\n<figcaption>";
  for (std::string const &note : c.notes) text += escaped(note) + " ";
  return text + "</figcaption></figure>\n";
}

std::string heading(run_list const &runs, std::vector<series> const &all) {
  std::size_t observations = 0;
  for (run const &r : runs.runs) observations += r.observations;
  auto const counted = [](std::size_t count, std::string const &one, std::string const &many) {
    return gossip::format_count(count) + " " + (count == 1 ? one : many);
  };
  std::string text = "<h1>" + escaped(all.size() == 1 ? all.front().name : "Runs of gossip") +
                     "</h1>\n<p class=\"sum\">" + counted(runs.runs.size(), "run", "runs");
  if (all.size() < runs.runs.size() && all.size() > 1)
    text += " in " + counted(all.size(), "line", "lines");
  return text + ", " + counted(observations, "observation", "observations") + "</p>\n";
}

}  // namespace

std::string safe_in_script(std::string const &text) {
  std::string safe;
  safe.reserve(text.size());
  for (char const c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

std::string page_of(run_list const &runs, std::vector<series> const &all,
                    std::vector<chart> const &charts, std::array<horizontal_axis, 3> const &axes,
                    std::vector<network> const &networks) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>" +
      escaped(all.size() == 1 ? all.front().name : "Runs of gossip") + "</title>\n<style>\n" +
      palette() + std::string(page_style) + "</style>\n</head>\n<body>\n<header>\n" +
      heading(runs, all) + "</header>\n" + switches(all, axes) +
      "<noscript><p>The charts need JavaScript; the tables do not.</p></noscript>\n"
      "<main>\n<section class=\"charts\">\n";
  for (chart const &c : charts) text += html_of(c);
  text +=
      "</section>\n" + network_section(networks) +
      "<section><h2>Results</h2>\n"
      "<p>The last observation of each line" +
      std::string(all.size() < runs.runs.size() ? ": means over its runs, and their range" : "") +
      ".</p>\n" + results_table(all) + "</section>\n" + plans_section(all) + failures(runs.failed) +
      "<section><h2>What was run</h2>\n" + runs_table(all) + shared_facts(runs.runs) +
      "<h3>Configurations</h3>\n" + configurations(all) +
      "</section>\n</main>\n"
      "<footer><details><summary>Charts are drawn by Chart.js; its licence</summary><pre>" +
      escaped(std::string(library_licence)) + "</pre></details></footer>\n" +
      "<script>addEventListener('error', fault => { document.body.dataset.errors = "
      "(document.body.dataset.errors || '') + fault.message + '; '; });</script>\n"
      "<script>";
  for (std::string_view const piece : chart_library) text += piece;
  text += "</script>\n<script type=\"application/json\" id=\"data\">" + data_of(charts, axes) +
          "</script>\n<script>\n" + std::string(page_script) + "</script>\n<script>\n" +
          std::string(network_script) + "</script>\n</body>\n</html>\n";
  return text;
}

}  // namespace report
