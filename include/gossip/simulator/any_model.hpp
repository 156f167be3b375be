// Models of any kind in one type, for programs that choose them at run time: a simulator of
// any_model is compiled once, and a model adds its kernels.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

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

namespace gossip {

/// Holds a model and the precision of its gradients. T: numbers of arithmetic. Backend: that of the
/// simulator, whose kernels are compiled for the model.
template <class T = float, class Backend = cpu>
class basic_any_model {
 public:
  using number = T;
  using backend = Backend;
  /// The class that engines see.
  using engine_model =
      std::conditional_t<Backend::on_device, device_model<T, Backend>, host_model<T>>;

  /// Not explicit, so that a model can be given wherever one of this type is expected. Throws
  /// input_error where a member of the model or of the precision cannot be.
  template <class Model, class Precision = full_precision>
    requires(!std::same_as<Model, basic_any_model> && !std::derived_from<Model, engine_model>)
  basic_any_model(Model model, Precision precision = {}) {
    static_assert(model_requirements<Model, T, Precision>::hold);
    precision.check();
    if constexpr (requires { model.check(); }) model.check();
    detail::add_facts(facts_, "the model", model);
    detail::add_facts(facts_, "the precision", precision);
    if constexpr (Backend::on_device)
      held_ = std::make_shared<typed_device_model<Model, T, Backend, Precision> const>(
          std::move(model), std::move(precision));
    else
      held_ = model_on_host<Backend, T>(std::move(model), std::move(precision));
  }

  /// A model that is no type with kernels: one derived from engine_model. facts: for ranks to
  /// compare, none: its type.
  template <std::derived_from<engine_model> Model>
  explicit basic_any_model(std::shared_ptr<Model> model, fact_list facts = {})
      : facts_(std::move(facts)), held_(std::move(model)) {
    if (facts_.empty()) facts_.emplace_back("kind of the model", typeid(Model).name());
    if (!held_) throw input_error("any_model", "a model", "none");
  }

  model_outline const &outline() const { return held_->outline(); }
  /// The model as engines see it.
  engine_model const &held() const { return *held_; }
  /// The tensors of a row by their names.
  std::vector<named_tensor> tensors() const { return held_->tensors(); }
  /// The model for gradients and scores on the host.
  std::shared_ptr<host_model<T> const> on_host() const {
    if constexpr (Backend::on_device) {
      return held_->on_host();
    } else {
      auto other = held_->on_host();
      return other ? other : held_;
    }
  }
  /// Name of the format that gradients are rounded to; "": gradients are numbers of T.
  std::string precision_name() const { return held_->precision(); }
  /// True where gradients need a scaled loss.
  bool scales_loss() const { return held_->scaling().has_value(); }
  /// Name of the device that computes gradients; "": the host does.
  std::string device_name() const
    requires(!Backend::on_device)
  {
    return held_->device_name();
  }

  /// Members of the model and of its precision, for ranks to compare.
  fact_list const &facts() const { return facts_; }

 private:
  fact_list facts_;
  std::shared_ptr<engine_model const> held_;
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
