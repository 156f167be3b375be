// Rows a node of every exchange and optimizer, and allocations in the loop of a run.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>

#include <gossip/gossip.hpp>

#include "figures.hpp"

// Every allocation of the process, those of libraries too: the C library lets a program put its own
// functions in place of malloc and its kin, and keeps the true ones under other names.

namespace {
std::atomic<std::uint64_t> allocations{0};
}

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);

void *malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void *calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void *realloc(void *at, std::size_t size) {
  ++allocations;
  return __libc_realloc(at, size);
}
void *memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(std::size_t alignment, std::size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **at, std::size_t alignment, std::size_t size) {
  *at = memalign(alignment, size);
  return *at ? 0 : ENOMEM;
}
}

namespace gossip::bench {

constexpr random_regular small_graph{.nodes = 16, .degree = 4};

/// Rows a node, or of all nodes together where they share one model.
template <class Exchange, class Optimizer>
double rows_of(Exchange const &exchange, Optimizer const &optimizer) {
  simulator const network{small_graph, softmax_regression{}, optimizer, exchange};
  plan_report const report =
      network.dry_run({.batch = 1, .stop = rounds{1}}, {.samples = 16, .feature_bytes = 1});
  fleet_size const one_row{1, softmax_regression::parameters, 0, false};
  std::size_t const owners = replicas_identical<Exchange> ? 1 : small_graph.nodes;
  return static_cast<double>(report.memory.rows) /
         static_cast<double>(owners * one_row.bytes<float>());
}

template <class Exchange>
void add_rows(figures &results, std::string const &name, Exchange const &exchange) {
  auto const add = [&](char const *optimizer, auto const &value) {
    results.add("rows." + name + '.' + optimizer, rows_of(exchange, value), "rows");
  };
  add("sgd", sgd{});
  add("momentum", sgd{.momentum = 0.9});
  add("nesterov", sgd{.momentum = 0.9, .nesterov = true});
  add("adam", adam{});
}

/// Allocations up to the begin of the second window, and from there to the begin of the last level.
struct counted {
  std::uint64_t second_window;  // node-iterations at which it begins
  std::uint64_t before = 0, after = 0;
  bool begun = false;
};

struct count_allocations {
  counted *of;

  void tick(progress_mark const &mark, double) {
    std::uint64_t const now = allocations;
    if (!of->begun && mark.node_iterations >= of->second_window) {
      of->begun = true;
      of->before = now;
    }
    of->after = now;
  }
};

template <class Exchange>
void add_allocations(figures &results, std::string const &name, dataset const &train,
                     Exchange const &exchange, std::uint64_t second_window) {
  simulator network{small_graph, lenet5{}, sgd{.rate = 0.01, .momentum = 0.9}, exchange};
  counted seen{.second_window = second_window};
  network.run({.batch = 16, .stop = rounds{24}}, split(train, iid{}), count_allocations{&seen});
  results.add("allocations." + name, static_cast<double>(seen.after - seen.before),
              "after the first window");
}

}  // namespace gossip::bench

int main(int argc, char **argv) {
  using namespace gossip::bench;
  arguments const given(argc, argv);
  figures results(given);
  using gossip::mixing_order;
  add_rows(results, "adapt_then_combine",
           gossip::d_psgd{.order = mixing_order::adapt_then_combine});
  add_rows(results, "combine_then_adapt", gossip::d_psgd{});
  add_rows(results, "ad_psgd", gossip::ad_psgd{});
  add_rows(results, "all_reduce", gossip::all_reduce{});

  auto const [train, test] = gossip::digits("samples/data/digits");
  std::uint64_t const n = small_graph.nodes;
  add_allocations(results, "d_psgd", train, gossip::d_psgd{}, 4 * n);
  add_allocations(results, "ad_psgd", train, gossip::ad_psgd{}, 3 * n);  // a step behind
  add_allocations(results, "all_reduce", train, gossip::all_reduce{}, 4 * n);
  return 0;
}
