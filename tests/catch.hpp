// Catch2, version 2 or 3, in one spelling; and how a test says that it cannot run here.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

namespace gossip::test {

/// Matches a text that contains the part: CHECK_THROWS_WITH(f(), contains("at least 3")).
inline auto contains(std::string const &part) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

/// Says on the console why a test does less than it could; the test then returns.
inline void skipped(std::string const &reason) {
  std::cout << "skipped: " << reason << '\n';
}

/// The folder or file of that name under $GOSSIP_DATA (mnist, cifar-10, graphs), if it is there.
/// Otherwise prints why the test is skipped.
inline std::optional<std::filesystem::path> data(std::string const &name) {
  char const *const root = std::getenv("GOSSIP_DATA");
  if (root == nullptr || *root == '\0') {
    skipped(name + " is not here: GOSSIP_DATA is not set");
    return std::nullopt;
  }
  auto path = std::filesystem::path(root) / name;
  if (std::filesystem::exists(path)) return path;
  skipped(path.string() + " does not exist");
  return std::nullopt;
}

}  // namespace gossip::test
