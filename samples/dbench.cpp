// How far replicas come apart, by graph and size: the experiments of X. Xie, J. Yin, Z. Zhou, S.
// Oral, F. Wang, "Scaling up data parallelism in decentralized deep learning", arXiv 2509.12213,
// 2025, at small scale, beside the authors' public series: docs/published/dbench.md.
// test: --quick
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <optional>
#include <span>

#include <gossip/core/error.hpp>
#include <gossip/data/digits.hpp>
#include <gossip/data/idx.hpp>

#include "dbench/arguments.hpp"
#include "dbench/experiments.hpp"

namespace dbench {

namespace {

digits_data data_of(arguments const &given) {
  auto [train, test] =
      given.mnist.empty() ? gossip::digits("samples/data/digits") : gossip::mnist(given.mnist);
  return {std::move(train), std::move(test)};
}

double work_of(arguments const &given) {
  bool const quick = given.quick;
  double work = 0;
  if (given.wants("e6a")) work += decay_work(quick);
  if (given.wants("e6b")) work += growth_work(quick);
  if (given.wants("e6c")) work += memory_work(quick);
  if (given.wants("e6d")) work += confound_work(quick);
  if (given.wants("e6e")) work += adaptive_work(quick);
  return work;
}

int run(arguments const &given) {
  bool const quick = given.quick;
  std::optional<digits_data> data;  // read before anything is run
  if (given.wants("e6b") || given.wants("e6d") || given.wants("e6e")) data = data_of(given);
  if (!given.out.empty()) make_folder(given.out);
  results all;
  progress_lines progress(work_of(given));
  if (given.wants("e6a")) decay(quick, all, progress);
  if (given.wants("e6c")) memory(quick, all, progress);
  if (given.wants("e6b")) growth({quick, given.peak}, *data, all, progress);
  if (given.wants("e6d")) confound(quick, *data, all, progress);
  if (given.wants("e6e")) adaptive({quick, given.peak}, *data, all, progress);
  print(all.findings);
  if (!given.out.empty()) write(all, given.out);
  bool const exact = std::ranges::all_of(all.findings, [](finding const &one) {
    return one.holds || (one.number != "F4" && one.number != "F5" && one.number != "E2");
  });
  if (!exact) std::fputs("dbench: a finding that is exact does not hold\n", stderr);
  return exact && std::cout.flush() && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

}  // namespace dbench

int main(int count, char **words) {
  using namespace dbench;
  try {
    arguments const given = read_arguments(std::span<char const *const>(words + 1, words + count));
    if (!given.help) return run(given);
    std::fputs(help_text, stdout);
    return 0;
  } catch (gossip::input_error const &fault) {
    std::cerr << "dbench: " << fault.what() << '\n';
    return 2;
  } catch (std::bad_alloc const &) {
    std::cerr << "dbench: there is not enough memory\n";
  } catch (std::exception const &fault) {
    std::cerr << "dbench: " << fault.what() << '\n';
  }
  return 1;
}
