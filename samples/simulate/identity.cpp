#include "identity.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include <gossip/backend/cpu/blas.hpp>
#include <gossip/core/compiled.hpp>
#include <gossip/core/error.hpp>
#include <gossip/core/processor.hpp>
#include <gossip/data/byte_source.hpp>
#include <gossip/fleet/digest.hpp>
#include <gossip/observer/report.hpp>

#include "build_facts.hpp"

namespace simulate {

namespace {

/// Bits depend on it beside program, configuration and files: BLAS chooses its kernels by the
/// processor, or as OPENBLAS_CORETYPE says.
json machine() {
  return {{"processor", gossip::processor_name()},
          {"blas", gossip::blas::library_name()},
          {"blas_kernels", gossip::blas::kernel_name()},
          {"compiler", gossip::detail::compiler_of_program()},
          {"flags", build_flags}};
}

std::string words(json const &value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string words(gossip::file_content const &content) {
  return "digest " + gossip::hex(content.digest) + " of " + std::to_string(content.bytes) +
         " bytes";
}

}  // namespace

json identity_of(std::span<gossip::file_content const> files) {
  json identity{{"gossip", gossip::version}, {"commit", build_commit}};
  identity["files"] = json::array();
  for (gossip::file_content const &one : files)
    identity["files"].push_back(
        {{"path", one.path}, {"bytes", one.bytes}, {"digest", gossip::hex(one.digest)}});
  identity["machine"] = machine();
  return identity;
}

void require_same_arguments([[maybe_unused]] std::optional<ranks> const &world,
                            [[maybe_unused]] std::span<char const *const> words) {
  if constexpr (ranks::spans_ranks) {
    if (!world) return;
    std::vector<std::string> own{gossip::version, build_commit};
    own.insert(own.end(), words.begin(), words.end());
    auto const all = world->all_gather(own);
    auto const &first = all.front();
    for (std::size_t r = 1; r < all.size(); ++r) {
      auto const [at, other] =
          std::mismatch(first.begin(), first.end(), all[r].begin(), all[r].end());
      if (at == first.end() && other == all[r].end()) continue;
      std::string const rank = "rank " + std::to_string(r);
      auto const k = static_cast<std::size_t>(at - first.begin());
      if (k < 2)
        throw gossip::input_error(rank,
                                  "gossip " + first[0] + ", commit " + first[1] + ", as on rank 0",
                                  all[r][0] + ", commit " + all[r][1]);
      auto const shown = [](auto const &list, auto const &word) {
        return word == list.end() ? "no further argument" : "'" + *word + "'";
      };
      throw gossip::input_error(rank + ": argument " + std::to_string(k - 1),
                                shown(first, at) + std::string(", as on rank 0"),
                                shown(all[r], other));
    }
  }
}

void require_same_files([[maybe_unused]] std::optional<ranks> const &world,
                        [[maybe_unused]] gossip::files_read const &read) {
  if constexpr (ranks::spans_ranks) {
    if (!world) return;
    std::vector<std::string> own;
    for (gossip::file_content const &one : read.files()) {
      own.push_back(one.path);
      own.push_back(words(one));
    }
    auto const all = world->all_gather(own);
    for (std::size_t r = 1; r < all.size(); ++r)
      for (std::size_t k = 0; k < all[r].size(); k += 2) {
        auto const same = std::find(all[0].begin(), all[0].end(), all[r][k]);
        if (same == all[0].end() || *(same + 1) == all[r][k + 1]) continue;
        throw gossip::input_error("rank " + std::to_string(r) + ": " + all[r][k],
                                  "the content that rank 0 has read, " + *(same + 1),
                                  all[r][k + 1]);
      }
  }
}

gossip::file_content const &identity_check::content_of(std::string const &path) {
  if (auto const known = contents_.find(path); known != contents_.end()) return known->second;
  gossip::files_read list;
  gossip::byte_source file(path);
  std::vector<std::uint8_t> block(std::size_t{1} << 18);
  while (file.read(block) == block.size()) {
  }
  return contents_[path] = list.files().at(0);
}

void identity_check::require_same(std::string const &folder, json const &identity) {
  json const here = identity_of({});
  if (!identity.is_object() || !identity.contains("files") || !identity.contains("machine"))
    throw gossip::input_error(option_, "runs with an identity.json, as this version writes it",
                              "no identity.json in " + folder + "; --overwrite begins anew");
  for (char const *name : {"gossip", "commit"})
    if (identity.value(name, "") != here[name])
      throw gossip::input_error(option_,
                                std::string(name) + " " + words(here[name]) +
                                    " for all runs, as for the runs that are left",
                                words(identity.value(name, json(""))) + " of " + folder);
  for (json const &file : identity["files"]) {
    std::string const path = file.value("path", "");
    gossip::file_content const &now = content_of(path);
    json const digest = file.value("digest", json()), bytes = file.value("bytes", json());
    if (digest != gossip::hex(now.digest) || bytes != now.bytes)
      throw gossip::input_error(option_,
                                path + " as it was for " + folder + ", digest " + words(digest) +
                                    " of " + words(bytes) + " bytes",
                                words(now));
  }
  json const &there = identity["machine"];
  if (there == here["machine"]) return;
  for (auto const &[name, value] : here["machine"].items())
    if (!elsewhere_ && there.value(name, json()) != value)
      throw gossip::input_error(option_,
                                "the " + name + " of " + folder + ", " +
                                    words(there.value(name, json())) +
                                    ", or --resume-elsewhere, after which digests are not "
                                    "comparable with digests of other runs",
                                words(value));
  if (std::find(others_.begin(), others_.end(), there) == others_.end()) others_.push_back(there);
}

}  // namespace simulate
