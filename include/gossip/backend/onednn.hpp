// The host backend with the convolutions of oneDNN, which chooses its instructions when a program
// starts: for programs compiled for many kinds of processors, and processors that the kernels of
// cpu were not measured on.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include <gossip/backend/backend.hpp>
#include <gossip/backend/cpu.hpp>
#include <gossip/backend/onednn/convolution.hpp>
#include <gossip/op/convolution.hpp>
#include <gossip/op/convolution_reorders.hpp>
#include <gossip/op/scratch.hpp>

namespace gossip {

/// The backend cpu, with the convolutions of oneDNN where they are in float and worth reordering.
struct onednn : cpu {
  static constexpr char const *name = "onednn";

  /// oneDNN with its version.
  static std::string library_name() { return detail::onednn_version(); }

  /// Runs a model's layers: one core.
  struct worker : cpu::worker {
    static constexpr scratch_use scratch = scratch_use::reorders;

    using cpu::worker::convolve;
    using cpu::worker::convolve_back;
    using cpu::worker::convolve_weights;

    template <convolution_shape S>
      requires op::is_worth_reordering<S>
    void convolve(std::size_t k, op::convolve<S, float> f) const {
      bool const bias = f.bias.data != nullptr;
      for (std::size_t j = 0; j < k; ++j)
        convolution<S>(f.lanes, pass::forward, bias)
            .run({f.in.at(j), f.weights.at(j), f.out.at(j)}, bias ? f.bias.at(j) : nullptr,
                 f.scratch.at(j));
    }
    template <convolution_shape S>
      requires op::is_worth_reordering<S>
    void convolve_back(std::size_t k, op::convolve_back<S, float> f) const {
      for (std::size_t j = 0; j < k; ++j)
        convolution<S>(f.lanes, pass::backward)
            .run({f.in_gradient.at(j), f.weights.at(j), f.out_gradient.at(j)}, nullptr,
                 f.scratch.at(j));
    }
    template <convolution_shape S>
      requires op::is_worth_reordering<S>
    void convolve_weights(std::size_t k, op::convolve_weights<S, float> f) const {
      for (std::size_t j = 0; j < k; ++j)
        convolution<S>(f.lanes, pass::weights)
            .run({f.in.at(j), f.weight_gradient.at(j), f.out_gradient.at(j)}, nullptr,
                 f.scratch.at(j), f.accumulate);
    }

   private:
    using pass = detail::onednn_convolution::pass;

    /// This thread's, made when it is first wanted.
    template <convolution_shape S>
    static detail::onednn_convolution &convolution(std::size_t lanes, pass p, bool bias = false) {
      thread_local std::map<std::tuple<std::size_t, pass, bool>, detail::onednn_convolution> made;
      return made.try_emplace({lanes, p, bias}, S, lanes, p, bias).first->second;
    }
  };
};

static_assert(backend<onednn>);

}  // namespace gossip
