// Compute times of any kind in one type, for programs that choose them at run time.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

#include <gossip/clock/clock.hpp>
#include <gossip/clock/lognormal_time.hpp>
#include <gossip/clock/prepared_times.hpp>
#include <gossip/core/node.hpp>
#include <gossip/simulator/rank_facts.hpp>

namespace gossip {

/// Holds a compute-time model.
class any_compute_time {
 public:
  any_compute_time() : any_compute_time(lognormal_time{}) {}
  template <compute_model Model>
    requires(!std::same_as<Model, any_compute_time>)
  any_compute_time(Model model)
      : model_(std::make_shared<Model const>(std::move(model))), calls_(&calls_of<Model>) {}

  virtual_time duration(std::uint64_t seed, node i, std::uint64_t step) const {
    return calls_->duration(model_.get(), seed, i, step);
  }
  prepared_times prepare() const { return calls_->prepare(model_.get()); }

  /// The members of what it holds, for ranks to compare.
  fact_list facts(std::string const &name) const { return calls_->facts(model_.get(), name); }

 private:
  struct calls {
    virtual_time (*duration)(void const *model, std::uint64_t seed, node i, std::uint64_t step);
    prepared_times (*prepare)(void const *model);
    fact_list (*facts)(void const *model, std::string const &name);
  };

  template <class Model>
  static Model const &value(void const *model) {
    return *static_cast<Model const *>(model);
  }

  // Functions with a name: nvcc takes a lambda here for one of an incomplete class.
  template <class Model>
  static virtual_time draw(void const *m, std::uint64_t seed, node i, std::uint64_t step) {
    return value<Model>(m).duration(seed, i, step);
  }
  template <class Model>
  static prepared_times prepared(void const *m) {
    return prepared_times::of(value<Model>(m));
  }
  template <class Model>
  static fact_list facts_of(void const *m, std::string const &name) {
    fact_list all{{"kind of " + name, typeid(Model).name()}};
    detail::add_facts(all, name, value<Model>(m));
    return all;
  }

  template <class Model>
  static constexpr calls calls_of{&draw<Model>, &prepared<Model>, &facts_of<Model>};

  std::shared_ptr<void const> model_;
  calls const *calls_;
};
static_assert(compute_model<any_compute_time>);

/// The same clock with compute times of any kind.
template <class Compute>
virtual_clock<any_compute_time> any_clock(virtual_clock<Compute> const &clock) {
  return converted(clock, [](Compute const &compute) { return any_compute_time(compute); });
}

}  // namespace gossip
