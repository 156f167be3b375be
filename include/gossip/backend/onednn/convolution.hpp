// One pass of a convolution by oneDNN. Samples lie innermost in gossip and channels in the library:
// arrays are reordered to the memory format that it likes best, and what it computes back.
#pragma once

#ifdef __CUDACC__  // whose version 13.0 stops in <dnnl.hpp> with an internal error
#error "gossip::onednn: nvcc cannot compile the header of oneDNN, the host compiler can."
#endif

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <tuple>
#include <unordered_map>

#include <dnnl.hpp>
#include <gossip/backend/cpu/library_threads.hpp>
#include <gossip/core/error.hpp>
#include <gossip/op/convolution_shape.hpp>

static_assert(DNNL_VERSION_MAJOR >= 2, "gossip::onednn: oneDNN must be version 2 or later.");
static_assert(DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_OMP ||
                  DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_SEQ,
              "gossip::onednn: oneDNN must be built for OpenMP or without threads, as Debian's is: "
              "threads of its own would compete with gossip's. See docs/policies/backend.md");

namespace gossip::detail {

/// The library that is linked, and the greatest of its sets of instructions that it uses here, as
/// dnnl_types.h numbers them: "oneDNN 2.7.2, cpu_isa 0x1ef".
inline std::string onednn_version() {
  dnnl_version_t const &version = *dnnl::version();
  char isa[16];
  std::snprintf(isa, sizeof isa, "0x%x", static_cast<unsigned>(dnnl::get_effective_cpu_isa()));
  return "oneDNN " + std::to_string(version.major) + '.' + std::to_string(version.minor) + '.' +
         std::to_string(version.patch) + ", cpu_isa " + isa;
}

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

  /// Throws gossip::error, as run does.
  onednn_convolution(convolution_shape s, std::size_t lanes, pass p, bool bias)
      : shape_(s), pass_(p) {
    told([&] {
      stream_ = dnnl::stream(engine());
      build(static_cast<long>(lanes), bias);
    });
  }

  /// weights (f, c, k, k), bias (f) or null, in (c, h, w, lanes), out (f, h', w', lanes): two are
  /// read, or as the pass has it their gradients, and the third is written; what is there of the
  /// gradient of weights stays as a term of it if `accumulate`. scratch: op::reorder_scratch a
  /// lane.
  void run(tensors at, float const *bias, float *scratch, bool accumulate = false) {
    told([&] {
      scratch = arrays_.in.place(at.in, scratch);
      scratch = arrays_.out.place(at.out, scratch);
      arrays_.weights.place(at.weights, scratch);
      if (bias != nullptr) place(bias_, bias);
      operand &result = written();
      for (operand *one : {&arrays_.in, &arrays_.out, &arrays_.weights})
        if (one != &result) one->reorder(stream_);
      primitive_.execute(stream_, arguments_);
      result.reorder_back(stream_, accumulate);
      stream_.wait();
    });
  }

 private:
  using description = dnnl::memory::desc;
  using descriptions = convolution_arrays<description>;

  /// An array in gossip's format and in the library's.
  class operand {
   public:
    operand() = default;
    operand(description const &ours, description const &blocked)
        : ours_(ours, engine(), nullptr),
          blocked_(blocked, engine(), nullptr),
          there_(ours_, blocked_) {
      dnnl::primitive_attr adding;
      dnnl::post_ops sum;
      sum.append_sum(1.0F);
      adding.set_post_ops(sum);
      back_ = {dnnl::reorder(blocked_, ours_), dnnl::reorder(blocked_, ours_, adding)};
    }
    dnnl::memory const &blocked() const { return blocked_; }

    /// Says where both are; the first number behind the library's.
    float *place(float const *numbers, float *scratch) {
      onednn_convolution::place(ours_, numbers);
      onednn_convolution::place(blocked_, scratch);
      return scratch + blocked_.get_desc().get_size() / sizeof(float);
    }
    void reorder(dnnl::stream &stream) { there_.execute(stream, ours_, blocked_); }
    void reorder_back(dnnl::stream &stream, bool add) {
      back_[add ? 1 : 0].execute(stream, blocked_, ours_);
    }

   private:
    dnnl::memory ours_, blocked_;
    dnnl::reorder there_;
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
  /// f on one thread; what the library throws becomes an error that names the convolution.
  template <class F>
  void told(F f) {
    one_thread_region const one_thread;
    try {
      f();
    } catch (dnnl::error const &e) {
      auto const size = [](std::size_t n) { return std::to_string(n); };
      throw error("oneDNN, convolution of (" + size(shape_.channels) + ", " + size(shape_.height) +
                  ", " + size(shape_.width) + ") by " + size(shape_.filters) + " filters of " +
                  size(shape_.kernel) + " x " + size(shape_.kernel) + ": " + e.what());
    }
  }
  operand &written() {
    if (pass_ == pass::forward) return arrays_.out;
    return pass_ == pass::backward ? arrays_.in : arrays_.weights;
  }

  void build(long lanes, bool bias) {
    convolution_shape const &s = shape_;
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
    descriptions best =
        choose({{in, number, tag::any}, {weights, number, tag::any}, {out, number, tag::any}},
               bias_numbers);
    auto const size_of = [](descriptions const &d) {
      return d.in.get_size() + d.weights.get_size() + d.out.get_size();
    };
    if (size_of(best) != size_of(ours))  // padded, for which there is no room
      best =
          choose({{in, number, tag::nhwc}, {weights, number, tag::oihw}, {out, number, tag::nhwc}},
                 bias_numbers);
    arrays_ = {{ours.in, best.in}, {ours.weights, best.weights}, {ours.out, best.out}};
    bool const forward = pass_ == pass::forward;
    arguments_ = {
        {pass_ == pass::backward ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, arrays_.in.blocked()},
        {pass_ == pass::weights ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS,
         arrays_.weights.blocked()},
        {forward ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, arrays_.out.blocked()}};
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

  /// Makes the primitive; the formats that it wants, where it may choose.
  descriptions choose(descriptions const &any, description const &bias) {
    dnnl::memory::dims const strides(2, static_cast<long>(shape_.stride));
    dnnl::memory::dims const padding(2, static_cast<long>(shape_.padding));
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

  convolution_shape shape_;
  pass pass_;
  dnnl::stream stream_;
  convolution_arrays<operand> arrays_;
  dnnl::memory bias_;
  dnnl::primitive primitive_;
  std::unordered_map<int, dnnl::memory> arguments_;
};

}  // namespace gossip::detail
