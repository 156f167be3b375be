// A simulator's model as its runs see it, whatever its type and the backend of the host that
// computes its gradients.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/model/outline.hpp>
#include <gossip/model/worker.hpp>
#include <gossip/transport/facts.hpp>

namespace gossip {

template <class T, class Backend>
class device_model;

namespace detail {

/// The class of models that engines see. Place: a backend, or on_host.
template <class T, class Place>
using engine_model_of = std::conditional_t<Place::on_device, device_model<T, Place>, host_model<T>>;

}  // namespace detail

/// T: numbers of arithmetic. EngineModel: see detail::engine_model_of.
template <class T, class EngineModel>
class run_model {
  static constexpr bool on_device = !std::is_same_v<EngineModel, host_model<T>>;

 public:
  model_outline const &outline() const { return held_->outline(); }
  /// The model as engines see it.
  EngineModel const &held() const { return *held_; }
  /// The tensors of a row by their names.
  std::vector<named_tensor> tensors() const { return held_->tensors(); }
  /// The model for gradients and scores on the host.
  std::shared_ptr<host_model<T> const> on_host() const {
    if constexpr (on_device) {
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
    requires(!on_device)
  {
    return held_->device_name();
  }

  /// Members of the model and of its precision, for ranks to compare.
  fact_list const &facts() const { return facts_; }

 protected:
  run_model(std::shared_ptr<EngineModel const> held, fact_list facts)
      : facts_(std::move(facts)), held_(std::move(held)) {}

 private:
  fact_list facts_;
  std::shared_ptr<EngineModel const> held_;
};

}  // namespace gossip
