// One pass of a convolution by oneDNN. Samples lie innermost in gossip and channels in the library:
// arrays are copied to the order that it likes best, and what it computes back.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <unordered_map>

#include <dnnl.hpp>
#include <gossip/backend/one_thread_region.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/convolution_shape.hpp>

namespace gossip::detail {

/// Inputs, weights and outputs of a convolution, or their gradients.
template <class Array>
struct convolution_arrays {
  Array in, weights, out;
};

/// Made for a shape, a number of lanes and the thread that runs it.
class onednn_convolution {
 public:
  enum class pass { forward, backward, weights };
  using tensors = convolution_arrays<float const *>;

  /// Throws gossip::error.
  onednn_convolution(convolution_shape s, std::size_t lanes, pass p, bool bias) : pass_(p) {
    one_thread_region const one_thread;
    try {
      stream_ = dnnl::stream(engine());
      build(s, static_cast<long>(lanes), bias);
    } catch (dnnl::error const &e) {
      throw error(sentence(s) + e.what());
    }
  }

  /// weights (f, c, k, k), bias (f) or null, in (c, h, w, lanes), out (f, h', w', lanes): two are
  /// read, or as the pass has it their gradients, and the third is written; what is there of the
  /// gradient of weights stays as a term of it if `accumulate`. copies: op::copy_scratch a lane.
  void run(tensors at, float const *bias, float *copies, bool accumulate = false) {
    one_thread_region const one_thread;
    copies = arrays_.in.place(at.in, copies);
    copies = arrays_.out.place(at.out, copies);
    arrays_.weights.place(at.weights, copies);
    if (bias != nullptr) place(bias_, bias);
    operand &result = written();
    for (operand *one : {&arrays_.in, &arrays_.out, &arrays_.weights})
      if (one != &result) one->copy(stream_);
    primitive_.execute(stream_, arguments_);
    result.copy_back(stream_, accumulate);
    stream_.wait();
  }

 private:
  using description = dnnl::memory::desc;
  using descriptions = convolution_arrays<description>;

  /// An array in both orders.
  class operand {
   public:
    operand() = default;
    operand(description const &here, description const &there)
        : here_(here, engine(), nullptr), there_(there, engine(), nullptr), to_(here_, there_) {
      dnnl::primitive_attr adding;
      dnnl::post_ops sum;
      sum.append_sum(1.0F);
      adding.set_post_ops(sum);
      back_ = {dnnl::reorder(there_, here_), dnnl::reorder(there_, here_, adding)};
    }
    dnnl::memory const &there() const { return there_; }

    /// Says where both are; the first number behind the copy.
    float *place(float const *numbers, float *copy) {
      onednn_convolution::place(here_, numbers);
      onednn_convolution::place(there_, copy);
      return copy + there_.get_desc().get_size() / sizeof(float);
    }
    void copy(dnnl::stream &stream) { to_.execute(stream, here_, there_); }
    void copy_back(dnnl::stream &stream, bool add) {
      back_[add ? 1 : 0].execute(stream, there_, here_);
    }

   private:
    dnnl::memory here_, there_;
    dnnl::reorder to_;
    std::array<dnnl::reorder, 2> back_;
  };

  /// The library has one kind of handle for what it reads and what it writes.
  static void place(dnnl::memory &memory, float const *numbers) {
    memory.set_data_handle(const_cast<float *>(numbers));
  }
  static dnnl::engine const &engine() {
    static dnnl::engine const one(dnnl::engine::kind::cpu, 0);
    return one;
  }
  static std::string sentence(convolution_shape s) {
    auto const size = [](std::size_t n) { return std::to_string(n); };
    return "oneDNN, convolution of (" + size(s.channels) + ", " + size(s.height) + ", " +
           size(s.width) + ") by " + size(s.filters) + " filters of " + size(s.kernel) + " x " +
           size(s.kernel) + ": ";
  }
  operand &written() {
    if (pass_ == pass::forward) return arrays_.out;
    return pass_ == pass::backward ? arrays_.in : arrays_.weights;
  }

  void build(convolution_shape s, long lanes, bool bias) {
    using dims = dnnl::memory::dims;
    using tag = dnnl::memory::format_tag;
    auto const number = dnnl::memory::data_type::f32;
    auto const size = [](std::size_t n) { return static_cast<long>(n); };
    long const h = size(s.height), w = size(s.width);
    long const oh = size(s.out_height()), ow = size(s.out_width());
    dims const in{lanes, size(s.channels), h, w}, out{lanes, size(s.filters), oh, ow};
    dims const weights{size(s.filters), size(s.channels), size(s.kernel), size(s.kernel)};
    descriptions const ours{{in, number, dims{1, h * w * lanes, w * lanes, lanes}},
                            {weights, number, tag::oihw},
                            {out, number, dims{1, oh * ow * lanes, ow * lanes, lanes}}};
    description const bias_numbers =
        bias ? description({size(s.filters)}, number, tag::a) : description();
    descriptions const best =
        choose({{in, number, tag::any}, {weights, number, tag::any}, {out, number, tag::any}},
               bias_numbers, dims(2, size(s.stride)), dims(2, size(s.padding)));
    if (best.in.get_size() != ours.in.get_size() || best.out.get_size() != ours.out.get_size() ||
        best.weights.get_size() != ours.weights.get_size())
      throw error(sentence(s) + "expected an order of the same size, got one with filling");
    arrays_ = {{ours.in, best.in}, {ours.weights, best.weights}, {ours.out, best.out}};
    bool const forward = pass_ == pass::forward;
    arguments_ = {{pass_ == pass::backward ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, arrays_.in.there()},
                  {pass_ == pass::weights ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS,
                   arrays_.weights.there()},
                  {forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, arrays_.out.there()}};
    if (!bias) return;
    bias_ = dnnl::memory(bias_numbers, engine(), nullptr);
    arguments_.emplace(DNNL_ARG_BIAS, bias_);
  }

  /// Version 3 makes in one step what version 2 made in two.
  template <class Convolution, class... Hint, class... Setting>
  static auto described(std::tuple<Hint const &...> hints, Setting const &...settings) {
    return std::apply(
        [&](auto const &...hint) {
          using made = typename Convolution::primitive_desc;
#if DNNL_VERSION_MAJOR >= 3
          return made(engine(), settings..., hint...);
#else
          return made(typename Convolution::desc(settings...), engine(), hint...);
#endif
        },
        hints);
  }

  /// Makes the primitive; the orders that it wants.
  descriptions choose(descriptions const &any, description const &bias,
                      dnnl::memory::dims const &strides, dnnl::memory::dims const &padding) {
    auto const direct = dnnl::algorithm::convolution_direct;
    auto const forward = described<dnnl::convolution_forward>(
        std::tuple(), dnnl::prop_kind::forward_training, direct, any.in, any.weights, bias, any.out,
        strides, padding, padding);
    if (pass_ == pass::forward) {
      primitive_ = dnnl::convolution_forward(forward);
      return {forward.src_desc(), forward.weights_desc(), forward.dst_desc()};
    }
    if (pass_ == pass::backward) {
      auto const one = described<dnnl::convolution_backward_data>(
          std::tie(forward), direct, any.in, any.weights, any.out, strides, padding, padding);
      primitive_ = dnnl::convolution_backward_data(one);
      return {one.diff_src_desc(), one.weights_desc(), one.diff_dst_desc()};
    }
    auto const one = described<dnnl::convolution_backward_weights>(
        std::tie(forward), direct, any.in, any.weights, any.out, strides, padding, padding);
    primitive_ = dnnl::convolution_backward_weights(one);
    return {one.src_desc(), one.diff_weights_desc(), one.diff_dst_desc()};
  }

  pass pass_;
  dnnl::stream stream_;
  convolution_arrays<operand> arrays_;
  dnnl::memory bias_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

}  // namespace gossip::detail
