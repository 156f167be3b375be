// A copy of a run's state in memory, which is written to files while the run goes on.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

#include <gossip/backend/cpu/memory.hpp>
#include <gossip/core/named_state.hpp>
#include <gossip/core/node.hpp>

namespace gossip::detail {

/// A copy that is taken again and again. In contrast to a named_state its parts keep their
/// memory for the next copy: fresh pages take far longer than the copy.
class state_copy {
 public:
  /// Asks for the memory of a copy, which touch() then makes ready.
  template <class Named>
  void reserve(Named const &name_state) {
    each_part(name_state, [](part &own, state_part const &p) { own.reserve(p); });
  }

  void touch() const;

  /// No copy will be taken: touch() on another thread ends.
  void leave() { is_left_ = true; }

  /// Copies all parts that name_state(visitor) describes.
  template <class Named>
  void take(Named const &name_state) {
    each_part(name_state, [](part &own, state_part const &p) {
      own.reserve(p);
      p.copy_out(0, p.rows(), own.numbers.data());
    });
  }

  /// Valid until the next copy.
  void name_state(state_visitor const &visit) const {
    for (part const &one : parts_) visit.part(one.described());
  }

 private:
  struct part {
    state_part what{};  // but for its functions
    std::vector<node> held{};
    host_buffer<std::byte> numbers{};

    void reserve(state_part const &p);

    state_part described() const;

    std::size_t row_bytes() const { return what.each * size_of(what.kind); }
  };

  /// f(part of the copy, part of the state) for all that name_state(visitor) describes.
  template <class Named, class F>
  void each_part(Named const &name_state, F f) {
    std::size_t number = 0;
    name_state(state_visitor([&](state_part const &p) {
      if (number == parts_.size()) parts_.emplace_back();
      f(parts_[number++], p);
    }));
    parts_.resize(number);
  }

  std::vector<part> parts_;
  std::atomic<bool> is_left_ = false;
};

}  // namespace gossip::detail

#ifndef GOSSIP_COMPILED
#include <gossip/observer/detail/state_copy.ipp>
#endif
