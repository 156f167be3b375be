// Results of every benchmark program: a table for people, JSON for bench/run.py.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace gossip::bench {

/// [--json FILE] [--quick] [--only PREFIX]
struct arguments {
  std::string json;
  std::string only;  ///< measure only figures whose name begins so
  bool quick = false;

  arguments(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
      std::string const option = argv[i];
      if (option == "--quick") {
        quick = true;
      } else if (option == "--json" && i + 1 < argc) {
        json = argv[++i];
      } else if (option == "--only" && i + 1 < argc) {
        only = argv[++i];
      } else {
        std::cerr << argv[0] << ": expected [--json FILE] [--quick] [--only PREFIX], got '"
                  << option << "'\n";
        std::exit(2);
      }
    }
  }

  bool wants(std::string const &name) const { return name.starts_with(only); }
};

/// Named numbers in the order they were measured, printed as they come.
class figures {
 public:
  explicit figures(arguments const &of) : json_(of.json) {}
  figures(figures const &) = delete;
  figures &operator=(figures const &) = delete;

  void add(std::string name, double value, std::string const &unit) {
    std::cout << std::left << std::setw(44) << name << std::right << std::setw(14)
              << std::setprecision(5) << value << ' ' << unit << std::endl;
    all_.emplace_back(std::move(name), value);
  }

  /// Writes the JSON file if one is wanted. Names are ASCII without quotes.
  ~figures() {
    if (json_.empty()) return;
    std::ofstream out(json_);
    out << std::setprecision(17) << '{';
    for (std::size_t i = 0; i < all_.size(); ++i)
      out << (i ? ",\n " : "\n ") << '"' << all_[i].first << "\": " << all_[i].second;
    out << "\n}\n";
  }

 private:
  std::string json_;
  std::vector<std::pair<std::string, double>> all_;
};

}  // namespace gossip::bench
