// The tables of a report as HTML: results, what was run, configurations.
#pragma once

#include <string>
#include <vector>

#include "runs.hpp"
#include "series.hpp"

namespace report {

/// A swatch with the color and the dashes of a style.
std::string swatch(line_style style);

/// HTML of rows, whose first row is that of the titles; columns without any text are left out.
std::string table(std::vector<std::vector<std::string>> const &rows);

/// A number as printf writes it.
std::string formatted(char const *format, double value);

/// Seconds as people read them.
std::string duration(double seconds);

/// The last observation of each series.
std::string results_table(std::vector<series> const &all);

/// A row a run: what differs in its configuration, then what it took.
std::string runs_table(std::vector<series> const &all);

/// Main fields, machine, compiler and the like, where they are the same of all runs.
std::string shared_facts(std::vector<run> const &runs);

/// The configuration of each series, folded away.
std::string configurations(std::vector<series> const &all);

/// Empty where none has failed.
std::string failures(std::vector<failed_run> const &failed);

}  // namespace report
