// Writes what a network has learnt: models as safetensors, which PyTorch reads.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/node.hpp>
#include <gossip/fleet/ranked_rows.hpp>
#include <gossip/fleet/row_window.hpp>
#include <gossip/model/named_tensors.hpp>
#include <gossip/model/write_safetensors.hpp>
#include <gossip/observer/record.hpp>

namespace gossip {

/// At the last record of a run, also of one that is interrupted, writes the models that it looks
/// at, those of nodes or of servers: their mean to FOLDER/mean.safetensors, each one's own to
/// FOLDER/nodes/I.safetensors, I with leading zeros. Ranks write the nodes that they hold, where
/// they run.
struct model_files {
  std::string folder;
  bool mean = true;
  bool nodes = false;

  /// The file of node i among n.
  static std::string name_of(node i, std::size_t n) {
    std::string const last = std::to_string(n - 1), own = std::to_string(i);
    return "nodes/" + std::string(last.size() - own.size(), '0') + own + ".safetensors";
  }

  /// Makes the folders. Throws input_error where one cannot be made.
  template <class Context>
  void check(Context &) const {
    std::error_code code;
    std::filesystem::create_directories(nodes ? folder + "/nodes" : folder, code);
    if (code) throw input_error(folder, "a folder that can be made", code.message());
  }

  template <class Context>
  void measure(Context &context, record &r) const {
    if (r.last) write(context);
  }

  /// Throws error where a file cannot be written.
  template <class Context>
  void write(Context &context) const {
    using value = typename Context::value_type;
    std::vector<named_tensor> const tensors = context.tensors();
    if (mean) {
      std::span<value const> const row(context.mean_model(), context.size().parameters);
      if (context.is_root()) write_safetensors(folder + "/mean.safetensors", tensors, row);
    }
    if (nodes) write_nodes<value>(context.rows(), tensors);
  }

 private:
  template <class T, class Rows>
  void write_nodes(Rows const &rows, std::vector<named_tensor> const &tensors) const {
    std::size_t const d = rows.size().parameters, n = rows.size().nodes;
    std::vector<T> row(d);
    auto const write = [&](node i) {
      write_safetensors(folder + "/" + name_of(i, n), tensors, std::span<T const>(row));
    };
    auto const held = held_nodes(rows);
    each_row(rows, [&](std::size_t k, auto const &numbers) {
      for (std::size_t c = 0; c < d; ++c) row[c] = static_cast<T>(numbers[c]);
      if (!rows.size().shared) write(held[k]);
    });
    if (!rows.size().shared) return;
    if constexpr (spread_over_ranks<Rows>)
      for (node const i : rows.held()) write(i);
    else
      for (node i = 0; i < n; ++i) write(i);
  }
};

}  // namespace gossip
