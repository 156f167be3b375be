// expect: gossip::optimizer: a kernel's scale_type must be at most 32 bytes.
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

#ifdef GOSSIP_FAILS
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 5>{});
#else
gossip::row_arithmetic<float> const arithmetic(kernel<4, 8, 4>{});
#endif
