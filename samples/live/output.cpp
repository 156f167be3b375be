#include "output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <ostream>

#include <gossip/clock/units.hpp>

namespace live_sample {

namespace {

using gossip::live::metrics;

std::string percent(double part) {
  return gossip::detail::three_digits(std::clamp(100 * part, 0.0, 100.0)) + " %";
}

std::string seconds(double s) {
  return gossip::format_duration(gossip::virtual_time(static_cast<std::int64_t>(s * 1e9)));
}

double accuracy_of(metrics const &f) {
  return f.samples > 0 ? f.correct / f.samples : 0;
}

std::string side(arguments const &a, gossip::graph const &g, std::size_t rank) {
  if (a.method != "ad_psgd") return "";
  return gossip::live::active_side(g)[rank] ? "active" : "passive";
}

double factor(arguments const &a, std::size_t rank) {
  double f = 1;
  for (auto const &slow : a.options.slow)
    if (slow.which == rank) f = slow.factor;
  return f;
}

void print_staleness(std::ostream &out, gossip::staleness_counts const &counts) {
  double const total = static_cast<double>(std::max<std::uint64_t>(1, counts.total()));
  out << "\nstaleness: changes of a model between a gradient and its application; mean "
      << counts.mean() << ", largest " << counts.largest() << '\n';
  for (std::size_t b = 0; b < gossip::staleness_counts::bins; ++b) {
    if (counts[b] == 0) continue;
    double const part = static_cast<double>(counts[b]) / total;
    bool const last = b + 1 == gossip::staleness_counts::bins;
    out << std::right << std::setw(6) << b << (last ? "+ " : "  ") << std::setw(10) << counts[b]
        << "  " << std::string(static_cast<std::size_t>(40 * part + 0.5), '#') << '\n';
  }
}

void print_learners(std::ostream &out, arguments const &a, gossip::graph const &g,
                    gossip::live::report const &r) {
  out << '\n'
      << std::left << std::setw(6) << "rank" << std::setw(9) << "side" << std::right << std::setw(8)
      << "slowed" << std::setw(11) << "gradients" << std::setw(11) << "exchanges" << std::setw(12)
      << "computing" << std::setw(11) << "staleness" << std::setw(10) << "loss" << std::setw(10)
      << "accuracy" << '\n';
  for (std::size_t rank = 0; rank < r.learners.size(); ++rank) {
    metrics const &f = r.learners[rank];
    out << std::left << std::setw(6) << rank << std::setw(9) << side(a, g, rank) << std::right
        << std::setw(7) << factor(a, rank) << 'x' << std::setw(11) << f.iterations << std::setw(11)
        << f.exchanges << std::setw(12)
        << percent(f.seconds > 0 ? f.computing_seconds / f.seconds : 0) << std::setw(11)
        << f.staleness.mean() << std::setw(10) << f.last_losses << std::setw(10)
        << (f.samples > 0 ? percent(accuracy_of(f)) : "-") << '\n';
  }
}

}  // namespace

void print(std::ostream &out, arguments const &a, gossip::graph const &g,
           gossip::live::report const &r) {
  auto const flags = out.flags();
  auto const precision = out.precision(4);
  using gossip::detail::print_row;
  auto const all = r.totals();
  print_row(out, "method", a.method + " on " + std::to_string(r.learners.size()) + " ranks");
  print_row(out, "model", a.model + ", " + gossip::format_count(r.parameters) + " parameters");
  print_row(out, "gradients", gossip::format_count(all.iterations));
  print_row(out, "time", seconds(all.seconds));
  print_row(out, "time per epoch", seconds(r.seconds_per_epoch()));
  print_row(out, "one learner, per epoch", seconds(r.alone_seconds_per_epoch));
  print_row(out, "speed-up", r.speed_up());
  print_row(out, "bytes sent", gossip::format_bytes(all.bytes_sent));
  out << std::left << std::setw(24) << "sum of models"
      << "kept to " << std::setprecision(2) << all.sum_error << std::setprecision(4)
      << " of its magnitude, counting a learner's own steps\n";
  if (r.learners[0].samples > 0) {
    print_row(out, "loss", all.loss);
    print_row(out, "accuracy of the mean", percent(r.averaged_model_accuracy));
  }
  print_row(out, "digest", gossip::hex(r.digest()));
  print_learners(out, a, g, r);
  print_staleness(out, all.staleness);
  out.precision(precision);
  out.flags(flags);
}

void check_writable(std::string const &path) {
  std::string const beside = path + ".part";
  if (!std::ofstream(beside))
    throw gossip::input_error(path + ": cannot be written: " + std::strerror(errno));
  std::remove(beside.c_str());
}

nlohmann::ordered_json summary(arguments const &a, gossip::graph const &g,
                               gossip::live::report const &r) {
  auto const all = r.totals();
  nlohmann::ordered_json j;
  j["gossip"] = gossip::version;
  j["method"] = a.method;
  j["ranks"] = r.learners.size();
  j["model"] = a.model;
  j["parameters"] = r.parameters;
  if (a.method != "all_reduce") j["topology"] = {{"kind", a.topology}, {"edges", g.edges()}};
  j["batch"] = a.options.batch;
  j["seed"] = a.options.seed;
  if (a.options.simulated)
    j["simulated"] = {
        {"mean_seconds", static_cast<double>(a.options.simulated->mean.count()) * 1e-9},
        {"cv", a.options.simulated->cv}};
  j["gradients"] = all.iterations;
  j["exchanges"] = a.method == "ad_psgd" ? all.exchanges / 2 : r.learners[0].exchanges;
  j["bytes_sent"] = all.bytes_sent;
  j["wall_seconds"] = all.seconds;
  j["seconds_per_epoch"] = r.seconds_per_epoch();
  j["one_learner_seconds_per_epoch"] = r.alone_seconds_per_epoch;
  j["speed_up"] = r.speed_up();
  j["sum_error"] = all.sum_error;
  if (r.learners[0].samples > 0) {
    j["loss"] = all.loss;
    j["averaged_model_accuracy"] = r.averaged_model_accuracy;
    j["test_samples"] = r.test_samples;
  }
  j["digest"] = gossip::hex(r.digest());
  j["staleness"] = {{"mean", all.staleness.mean()}, {"largest", all.staleness.largest()}};
  for (std::size_t b = 0; b < gossip::staleness_counts::bins; ++b)
    j["staleness"]["counts"].push_back(all.staleness[b]);
  for (std::size_t rank = 0; rank < r.learners.size(); ++rank) {
    metrics const &f = r.learners[rank];
    nlohmann::ordered_json one{{"rank", rank},
                               {"slowed", factor(a, rank)},
                               {"gradients", f.iterations},
                               {"exchanges", f.exchanges},
                               {"bytes_sent", f.bytes_sent},
                               {"seconds", f.seconds},
                               {"computing_seconds", f.computing_seconds},
                               {"waiting_seconds", f.waiting_seconds},
                               {"mean_staleness", f.staleness.mean()}};
    if (a.method == "ad_psgd") one["side"] = side(a, g, rank);
    if (f.samples > 0) {
      one["loss"] = f.last_losses;
      one["accuracy"] = accuracy_of(f);
    }
    j["learners"].push_back(one);
  }
  return j;
}

void write_file(std::string const &path, std::string const &text) {
  std::string const beside = path + ".part";
  std::ofstream file(beside);
  file << text;
  if (!file.flush() || std::rename(beside.c_str(), path.c_str()) != 0) {
    int const code = errno;
    std::remove(beside.c_str());
    throw gossip::error(path + ": cannot be written: " + std::strerror(code));
  }
}

}  // namespace live_sample
