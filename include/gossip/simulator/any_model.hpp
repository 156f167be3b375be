// Models of any kind in one type, for programs that choose them at run time: a simulator of
// any_model is compiled once, and a model adds its kernels.
#pragma once

#include <concepts>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <gossip/backend/cpu.hpp>
#include <gossip/backend/model_on_host.hpp>
#include <gossip/core/error.hpp>
#include <gossip/engine/device/model.hpp>
#include <gossip/engine/device/typed_model.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/model/precision.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/simulator/rank_facts.hpp>
#include <gossip/simulator/requirements.hpp>
#include <gossip/simulator/run_model.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip {

namespace detail {

/// The model with kernels of a backend. Throws input_error where a member of the model or of the
/// precision cannot be.
template <class T, class Backend, class Model, class Precision>
std::shared_ptr<engine_model_of<T, Backend> const> model_on(Model const &model,
                                                            Precision const &precision) {
  static_assert(model_requirements<Model, T, Precision>::hold);
  precision.check();
  if constexpr (requires { model.check(); }) model.check();
  if constexpr (Backend::on_device)
    return std::make_shared<typed_device_model<Model, T, Backend, Precision> const>(model,
                                                                                    precision);
  else
    return model_on_host<Backend, T>(model, precision);
}

/// Members of a model and of a precision, for ranks to compare.
template <class Model, class Precision>
fact_list facts_of(Model const &model, Precision const &precision) {
  fact_list facts;
  add_facts(facts, "the model", model);
  add_facts(facts, "the precision", precision);
  return facts;
}

}  // namespace detail

/// Holds a model and the precision of its gradients. T: numbers of arithmetic. Backend: that of the
/// simulator, whose kernels are compiled for the model.
template <class T = float, class Backend = cpu>
class basic_any_model : public run_model<T, detail::engine_model_of<T, Backend>> {
 public:
  using number = T;
  using backend = Backend;
  /// The class that engines see.
  using engine_model = detail::engine_model_of<T, Backend>;

  /// Not explicit, so that a model can be given wherever one of this type is expected. Throws
  /// input_error where a member of the model or of the precision cannot be.
  template <class Model, class Precision = full_precision>
    requires(!std::same_as<Model, basic_any_model> && !std::derived_from<Model, engine_model>)
  basic_any_model(Model model, Precision precision = {})
      : run_model<T, engine_model>(detail::model_on<T, Backend>(model, precision),
                                   detail::facts_of(model, precision)) {}

  /// A model that is no type with kernels: one derived from engine_model. facts: for ranks to
  /// compare, none: its type.
  template <std::derived_from<engine_model> Model>
  explicit basic_any_model(std::shared_ptr<Model> model, fact_list facts = {})
      : run_model<T, engine_model>(some(std::move(model)),
                                   facts.empty() ? type_of<Model>() : std::move(facts)) {}

 private:
  static std::shared_ptr<engine_model const> some(std::shared_ptr<engine_model const> model) {
    if (!model) throw input_error("any_model", "a model", "none");
    return model;
  }
  template <class Model>
  static fact_list type_of() {
    return {{"kind of the model", typeid(Model).name()}};
  }
};

/// Models for the backend cpu with numbers in float.
using any_model = basic_any_model<>;

namespace detail {

/// Throws input_error on a device where gradients have a scaled loss and rows 16 bits.
inline void require_wide_rows(bool scales_loss, bool wide) {
  if (scales_loss && !wide)
    throw input_error("model", "gradients in float or bf16 for rows in 16 bits on a device",
                      "fp16");
}

/// The type by which a simulator holds its model.
template <class T, class Backend, class Model, class Precision>
struct held_model {
  using type = basic_any_model<T, Backend>;
  static type of(Model model, Precision precision) {
    return type(std::move(model), std::move(precision));
  }
};
template <class T, class Backend, class Model, class Precision>
  requires erased_model<Model>
struct held_model<T, Backend, Model, Precision> {
  static_assert(std::is_same_v<T, typename Model::number> &&
                    std::is_same_v<Backend, typename Model::backend>,
                "gossip::simulator: an any_model is compiled for the numbers and the backend of "
                "its simulator: basic_any_model<T, Backend>. See docs/policies/model.md");
  static_assert(!Precision::rounds,
                "gossip::simulator: an any_model has a precision of its own, its second "
                "argument. See docs/policies/model.md");
  using type = Model;
  static type of(Model model, Precision const &) { return model; }
};

}  // namespace detail

}  // namespace gossip
