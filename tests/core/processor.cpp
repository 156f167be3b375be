// Parsing of a processor's description.
#include <gossip/core/processor.hpp>

#include <gossip/core/compiled.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "../catch.hpp"

namespace {

std::string processor_in(std::string const &text) {
  std::string const path =
      (std::filesystem::temp_directory_path() / ("gossip_cpuinfo_" + std::to_string(getpid())))
          .string();
  std::ofstream(path) << text;
  std::string const name = gossip::processor_of(path.c_str());
  std::remove(path.c_str());
  return name;
}

}  // namespace

TEST_CASE("a processor has the name of its first core, and its family and model", "[core]") {
  CHECK(processor_in("processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\n"
                     "model name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: another\n") ==
        "AMD EPYC (family 26, model 2)");
  CHECK(processor_in("model name\t: Some CPU @ 2.00GHz  \n") == "Some CPU @ 2.00GHz");
  CHECK(processor_in("processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd40\n") ==
        "implementer 0x41, part 0xd40");
  CHECK(processor_in("") == "unknown");
  CHECK(processor_in("model name\nmodel name :\n") == "unknown");
  CHECK(gossip::processor_of("/nowhere/cpuinfo") == "unknown");
}

TEST_CASE("a program knows its compiler and what macros tell of its flags", "[core]") {
  using gossip::test::contains;
  std::string const compiler = gossip::detail::compiler_of_program();
  CHECK((compiler.starts_with("g++ ") || compiler.starts_with("clang ")));
  CHECK(compiler.find_first_of("0123456789") != std::string::npos);
  std::string const flags = gossip::detail::flags_of_program();
  CHECK(flags.find("optimized") != std::string::npos);
  CHECK_THAT(flags, contains("products not contracted"));
}
