// expect: gossip::optimizer: a kernel may use at most 4 rows.
#include <gossip/engine/device/program.hpp>

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
