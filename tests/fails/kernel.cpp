// Kernels of optimizers that are refused.
#include <gossip/engine/device/program.hpp>
#include <gossip/optimizer/optimizer.hpp>
#include <gossip/optimizer/row_arithmetic.hpp>

template <std::size_t Rows, std::size_t Members, std::size_t Shared>
struct kernel {
  static constexpr std::size_t rows = Rows;
  struct scale_type {
    double shared[Shared];
  };
  double members[Members];

  scale_type scale(double, std::uint64_t) const { return {}; }
  void absorb(float, float, float *) const {}
  void step(scale_type, float &, float const *) const {}
  void absorb_and_step(scale_type, float, float &, float *) const {}
};

// expect: gossip::optimizer: a kernel's scale_type must be at most 32 bytes.
namespace kernel_scale_too_large {
#ifdef GOSSIP_FAILS
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 5>{});
#else
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 4>{});
#endif
}  // namespace kernel_scale_too_large

// expect: gossip::optimizer: absorb_and_step of the kernel takes the parameter by value, so that
namespace kernel_steps_a_copy {
struct mine {
#ifdef GOSSIP_FAILS
  template <class T>
  using parameter_type = T;
#else
  template <class T>
  using parameter_type = T &;
#endif
  template <class T>
  struct arithmetic {
    static constexpr std::size_t rows = 0;
    using scale_type = T;
    T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
    void absorb_and_step(T scale, T gradient, parameter_type<T> parameter, T *) const {
      parameter -= scale * gradient;
    }
  };

  double rate = 0.1;
  static std::size_t rows(bool) { return 0; }
  static void check() {}
  template <class T, class F>
  auto kernel(bool, F f) const {
    return f(arithmetic<T>{});
  }
};
int const one = gossip::with_kernel<double>(mine{}, false, [](auto const &) { return 1; });
}  // namespace kernel_steps_a_copy

// expect: gossip::optimizer: a kernel must be trivially copyable and at most 64 bytes.
namespace kernel_too_large {
#ifdef GOSSIP_FAILS
gossip::row_arithmetic<float> const arithmetic(kernel<4, 9, 4>{});
#else
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 4>{});
#endif
}  // namespace kernel_too_large

// expect: gossip::optimizer: a kernel may use at most 4 rows.
namespace kernel_with_five_rows {
#ifdef GOSSIP_FAILS
gossip::row_arithmetic<float> const arithmetic(kernel<5, 8, 4>{});
#else
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 4>{});
#endif
}  // namespace kernel_with_five_rows

// expect: gossip::optimizer: a kernel may use at most 4 rows.
namespace kernel_with_five_rows_on_a_device {
template <std::size_t Rows>
struct kernel {
  static constexpr std::size_t rows = Rows;
  struct scale_type {};
};

#ifdef GOSSIP_FAILS
gossip::device_op::column_kernel<float, kernel<5>> const arithmetic{{}, 8};
#else
gossip::device_op::column_kernel<float, kernel<4>> const arithmetic{{}, 8};
#endif
}  // namespace kernel_with_five_rows_on_a_device
