// Definitions of backend/cpu/thread_count.hpp.
#pragma once

#include <gossip/backend/cpu/thread_count.hpp>

#include <tbb/info.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include <gossip/core/error.hpp>
#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE std::size_t usual_threads() {
  char const *const said = std::getenv("OMP_NUM_THREADS");
  if (!said || !*said) return static_cast<std::size_t>(tbb::info::default_concurrency());
  std::string_view text = said;
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  std::size_t threads = 0;
  auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), threads);
  bool const ends = end == text.data() + text.size() || *end == ',' || *end == ' ';
  if (failure != std::errc{} || !ends || threads == 0 || threads > most_threads)
    throw error("OMP_NUM_THREADS: expected a whole number of threads from 1 to " +
                std::to_string(most_threads) + ", got '" + said + "'");
  return threads;
}

}  // namespace gossip
