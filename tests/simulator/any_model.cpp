// Models that are held: the bits of a model by its type, and models that are no type with kernels.
#include <gossip/simulator/any_model.hpp>

#include <gossip/backend/serial.hpp>
#include <gossip/exchange/ad_psgd.hpp>
#include <gossip/exchange/d_psgd.hpp>
#include <gossip/observer/accuracy.hpp>
#include <gossip/observer/consensus_distance.hpp>
#include <gossip/observer/mean_gradient.hpp>
#include <gossip/simulator/simulator.hpp>
#include <gossip/topology/ring.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "../exchange/conformance.hpp"

using namespace gossip::test;
using gossip::rounds;

namespace {

gossip::run_settings const short_run{.seed = 3, .batch = 5, .stop = rounds{6}};

template <class... Options>
gossip::run_report trained(auto const &model, Options... options) {
  gossip::simulator const network{gossip::ring{5}, model, gossip::sgd{.rate = 0.1},
                                  gossip::ad_psgd{}, options...};
  return network.run(short_run, gossip::split(tiny_images(), gossip::iid{}),
                     gossip::accuracy{tiny_images()}, gossip::mean_gradient{tiny_images()});
}

/// f_i(x) = |x - i|^2 / 2 in two columns, for cohorts of three at a time.
class cohort_model final : public gossip::host_model<double> {
 public:
  explicit cohort_model(std::size_t *calls) : calls_(calls) {}

  gossip::model_outline const &outline() const override {
    static constexpr gossip::row_tensor whole(0, {2, 1});
    static constexpr gossip::model_outline all{.parameters = 2, .tensors = {&whole, 1}};
    return all;
  }
  std::vector<gossip::named_tensor> tensors() const override { return {{"x", {2}, 0}}; }
  void initialise(std::span<double> row, std::uint64_t) const override {
    std::ranges::fill(row, 0.5);
  }
  std::size_t workers(std::size_t, std::size_t) const override { return 1; }
  std::size_t team_bytes(gossip::worker_settings const &, std::size_t count) const override {
    return count * 6 * sizeof(double);
  }
  std::unique_ptr<gossip::model_worker<double>> worker(
      gossip::worker_settings const &) const override {
    return std::make_unique<cohort>(calls_);
  }

 private:
  class cohort final : public gossip::model_worker<double> {
   public:
    explicit cohort(std::size_t *calls) : calls_(calls) {}

    std::size_t tasks_at_once() const override { return 3; }
    void compute(std::span<gossip::gradient_task<double> const> tasks,
                 gossip::gradient_result *results) override {
      ++*calls_;
      for (std::size_t k = 0; k < tasks.size(); ++k) {
        auto const *const x = static_cast<double const *>(tasks[k].row.data);
        results[k] = {0, true};
        for (std::size_t c = 0; c < 2; ++c) {
          gradients_[k][c] = x[c] - static_cast<double>(tasks[k].share);
          results[k].loss += 0.5 * gradients_[k][c] * gradients_[k][c];
        }
      }
    }
    double *gradient(std::size_t k) override { return gradients_[k]; }
    void measure(gossip::stored_row<double>, std::span<gossip::node const>, double *) override {}
    gossip::evaluation score(gossip::stored_row<double>, double const *, gossip::dataset const &,
                             std::span<std::uint32_t const>) override {
      return {};
    }

   private:
    std::size_t *calls_;
    double gradients_[3][2] = {};
  };

  std::size_t *calls_;
};

}  // namespace

TEST_CASE("a model that is held has the bits of its type", "[simulator]") {
  auto const same = [](gossip::run_report const &a, gossip::run_report const &b) {
    CHECK(gossip::hex(a.digest) == gossip::hex(b.digest));
    CHECK(a.last.test_loss == b.last.test_loss);
    CHECK(a.last.numbers[0].value == b.last.numbers[0].value);
    CHECK(a.announced.total() == b.announced.total());
    CHECK(a.provenance.numbers == b.provenance.numbers);
  };
  same(trained(tiny_classifier{}), trained(gossip::any_model(tiny_classifier{})));
  same(trained(normalised_classifier{}), trained(gossip::any_model(normalised_classifier{})));
  same(trained(tiny_classifier{}, gossip::numbers<float, gossip::bf16>{}),
       trained(gossip::any_model(tiny_classifier{}), gossip::numbers<float, gossip::bf16>{}));
  same(trained(tiny_classifier{}, gossip::serial{}, gossip::numbers<double>{}),
       trained(gossip::basic_any_model<double, gossip::serial>(tiny_classifier{}), gossip::serial{},
               gossip::numbers<double>{}));
  gossip::mixed_precision<gossip::fp16> const scaled{.loss_scale = 1024};
  same(trained(tiny_classifier{}, scaled), trained(gossip::any_model(tiny_classifier{}, scaled)));
  CHECK(trained(gossip::any_model(tiny_classifier{}, scaled)).skipped.has_value());
}

TEST_CASE("a list holds models of several types", "[simulator]") {
  // quote list
  std::vector<gossip::any_model> const models{tiny_classifier{}, normalised_classifier{}};
  // end quote
  CHECK(models[0].outline().parameters == tiny_classifier::parameters);
  CHECK(models[1].outline().statistics > 0);
  for (auto const &model : models) CHECK(trained(model).node_iterations == 30);
}

TEST_CASE("a model that is held is run with the data that it needs", "[simulator]") {
  gossip::simulator const learns{gossip::ring{5}, gossip::any_model(tiny_classifier{}),
                                 gossip::sgd{}, gossip::d_psgd{}};
  CHECK_THROWS_WITH(learns.run(short_run),
                    "run: expected a split of samples after the settings, since the model learns "
                    "from samples, got none");
  gossip::simulator const own{gossip::ring{5}, gossip::any_model(gossip::quadratic<2>{}),
                              gossip::sgd{}, gossip::d_psgd{}};
  CHECK_THROWS_WITH(own.run(short_run, gossip::split(tiny_images(), gossip::iid{})),
                    "run: expected no split, since the model is its own data, got one");
  CHECK(own.run(short_run).node_iterations == 30);
  CHECK_THROWS_AS(gossip::any_model(gossip::quadratic<2>{.curvature = {-1}}), gossip::input_error);
}

TEST_CASE("a model of one's own takes cohorts", "[simulator]") {
  std::size_t calls = 0;
  auto const digest = [](auto const &model, auto... options) {
    gossip::simulator const network{gossip::ring{7},
                                    model,
                                    gossip::sgd{.rate = 0.1},
                                    gossip::d_psgd{},
                                    gossip::numbers<double>{},
                                    gossip::with_reference{},
                                    options...};
    gossip::run_settings settings{.stop = rounds{4}};
    auto const levelled = network.run(settings, gossip::consensus_distance{});
    settings.engine = gossip::execution::reference;
    CHECK(gossip::hex(network.run(settings).digest) == gossip::hex(levelled.digest));
    return levelled.digest;
  };
  gossip::quadratic<2> const by_type{.optimum = {0, 1, 2, 3, 4, 5, 6}, .start = 0.5};
  gossip::basic_any_model<double> const cohorts(std::make_shared<cohort_model>(&calls));
  CHECK(gossip::hex(digest(cohorts)) == gossip::hex(digest(by_type)));
  CHECK(calls == 4 * 3 + 4 * 7);  // levelled: 7 nodes in cohorts of 3; reference: one by one
}
