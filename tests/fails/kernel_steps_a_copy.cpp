// expect: gossip::optimizer: absorb_and_step of the kernel takes the parameter by value, so that
#include <gossip/optimizer/optimizer.hpp>

struct mine {
  double rate = 0.1;

  template <class T>
  struct arithmetic {
    static constexpr std::size_t rows = 0;
    using scale_type = T;
    T scale(double rate, std::uint64_t) const { return static_cast<T>(rate); }
#ifdef GOSSIP_FAILS
    void absorb_and_step(T scale, T gradient, T parameter, T *) const {
#else
    void absorb_and_step(T scale, T gradient, T &parameter, T *) const {
#endif
        parameter -= scale * gradient;
  }
};

static std::size_t rows(bool) {
  return 0;
}
static void check() {}
template <class T, class F>
auto kernel(bool, F f) const {
  return f(arithmetic<T>{});
}
}
;

int const one = gossip::with_kernel<double>(mine{}, false, [](auto const &) { return 1; });
