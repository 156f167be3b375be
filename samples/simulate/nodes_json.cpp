#include "nodes_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace simulate {

std::string graph_json(gossip::graph const &network) {
  nlohmann::ordered_json j{{"nodes", network.nodes()}};
  if (network.directed()) j["directed"] = true;
  auto &edges = j["edges"] = nlohmann::ordered_json::array();
  for (gossip::edge const e : network.edge_list()) edges.push_back({e.from, e.to});
  return j.dump() + '\n';
}

std::string nodes_line(gossip::progress_mark const &mark,
                       std::vector<std::uint32_t> const &evaluated,
                       std::vector<node_values> quantities) {
  nlohmann::ordered_json line{{"epoch", mark.epoch},
                              {"virtual_seconds", static_cast<double>(mark.time.count()) * 1e-9},
                              {"bytes_sent", mark.bytes_sent}};
  if (!evaluated.empty()) line["evaluated"] = evaluated;
  for (auto &[name, values] : quantities) {
    for (double &v : values) v = std::round(v * 1e4) / 1e4;
    line["nodes"][name] = std::move(values);
  }
  return line.dump() + '\n';
}

std::string nodes_line(gossip::record const &r, gossip::node_scores const &scores,
                       std::size_t nodes) {
  bool const shared = scores.models == 1;
  std::size_t const count = shared ? nodes : scores.nodes.size();
  std::vector<double> accuracy(count), loss(count);
  for (std::size_t k = 0; k < count; ++k) {
    accuracy[k] = scores.accuracy(shared ? 0 : k);
    loss[k] = scores.loss(shared ? 0 : k);
  }
  return nodes_line(r.mark, count < nodes ? scores.nodes : std::vector<std::uint32_t>{},
                    {{"accuracy", std::move(accuracy)}, {"loss", std::move(loss)}});
}

}  // namespace simulate
