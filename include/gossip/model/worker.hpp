// The seam between a model and the engines of hosts: they see a model of any type as workers that
// compute gradients and scores in numbers of one type.
//
// A model that is a type (model/model.hpp) gets its workers from model/gradient_worker.hpp. What is
// no such type, a model of another library or one that takes whole cohorts at once, derives from
// host_model and model_worker.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gossip/core/node.hpp>
#include <gossip/data/dataset.hpp>
#include <gossip/data/sample_assignment.hpp>
#include <gossip/model/evaluation.hpp>
#include <gossip/model/named_tensor.hpp>
#include <gossip/model/outline.hpp>
#include <gossip/model/precision.hpp>

namespace gossip {

/// A row of the fleet, (d): numbers of T, or elements of another type that become such numbers.
template <class T>
struct stored_row {
  void const *data = nullptr;
  void (*widen)(void const *data, std::size_t count, T *to) = nullptr;  ///< null: they are numbers

  stored_row() = default;
  template <class Row>
  explicit stored_row(Row const *row) : data(row) {
    if constexpr (!std::is_same_v<Row, T>)
      widen = [](void const *from, std::size_t count, T *to) {
        std::copy_n(static_cast<Row const *>(from), count, to);
      };
  }
};

/// The request for a gradient: of one batch of a node's samples, at one row.
template <class T>
struct gradient_task {
  node share;                     ///< node whose samples the batch is drawn from
  std::uint64_t batch;            ///< number of the batch, from 0 on
  stored_row<T> row;              ///< (d) parameters, then statistics
  T const *loss_scale = nullptr;  ///< factor of the loss; null: 1
};

/// The result of one gradient.
struct gradient_result {
  double loss;  ///< mean over the batch
  bool finite;  ///< with loss scaling: no number overflowed; else always true: a gradient that is
                ///< not finite is absorbed, so that the next loss shows it
};

/// A core's memory and inputs for one model: computes gradients and scores. Engines call a worker
/// from one thread at a time.
template <class T>
class model_worker {
 public:
  virtual ~model_worker() = default;

  /// The most tasks of one compute(); the same for all workers of a run.
  virtual std::size_t tasks_at_once() const { return 1; }
  /// Computes the gradients of tasks; results has room for as many.
  virtual void compute(std::span<gradient_task<T> const> tasks, gradient_result *results) = 0;
  /// The gradient (d) of task k of the last call, with the statistics of its batch behind it.
  virtual T *gradient(std::size_t k = 0) = 0;

  /// Measures the statistics of the model x on one batch after another of `owners`, each owner's
  /// from the first on, and averages them.
  virtual void measure(stored_row<T> x, std::span<node const> owners, T *statistics) = 0;

  /// Scores of the model x on samples of a test set, a chunk (chunk_samples) at most. statistics:
  /// used in place of the model's own; null: the model's own.
  virtual evaluation score(stored_row<T> x, T const *statistics, dataset const &test,
                           std::span<std::uint32_t const> samples) = 0;

  /// Names memory that will be wanted after the next gradient: rows, of `bytes` bytes each.
  virtual void expect(std::span<void const *const> /*rows*/, std::size_t /*bytes*/) {}
  /// Sets the number of cores that share a batch; the bits of a gradient do not depend on it.
  virtual void use_cores(std::size_t /*cores*/) {}
};

/// The samples that workers train on; null for a model that is its own data. Both outlive them.
struct training_samples {
  dataset const *data = nullptr;
  partition const *shares = nullptr;

  /// Training samples of a share; 1 where the model is its own data.
  std::size_t samples_of(node share) const { return shares ? shares->size(share) : 1; }
};

/// Settings that the workers of a run have in common.
struct worker_settings {
  training_samples samples = {};
  std::uint64_t seed = 1;
  std::size_t batch = 1;  ///< samples of a gradient
  bool widens = false;    ///< rows are stored in another type than T

  std::size_t nodes = 1;                        ///< of this process, whose gradients are taken
  std::size_t test_bytes = 0;                   ///< of the test sets that models are scored on
  std::vector<std::span<std::byte>> rows = {};  ///< memory that rows of tasks come from
};

/// A model with rows in numbers of T, wherever its gradients are computed.
template <class T>
class model_in_numbers {
 public:
  virtual ~model_in_numbers() = default;

  virtual model_outline const &outline() const = 0;
  /// The tensors of a row by their names.
  virtual std::vector<named_tensor> tensors() const = 0;
  /// Name of the format that gradients are rounded to; "": gradients are numbers of T.
  virtual std::string precision() const { return ""; }
  /// The scaling of the loss, where gradients need one.
  virtual std::optional<scaled_loss> scaling() const { return {}; }

  /// Writes the row (d) that every node starts from.
  virtual void initialise(std::span<T> row, std::uint64_t seed) const = 0;
};

/// A model for the engines of hosts.
template <class T>
class host_model : public model_in_numbers<T> {
 public:
  /// A worker; the model outlives it.
  virtual std::unique_ptr<model_worker<T>> worker(worker_settings const &of) const = 0;
  /// All workers of a run, which may share memory that none of them changes.
  virtual std::vector<std::unique_ptr<model_worker<T>>> team(worker_settings const &of,
                                                             std::size_t count) const {
    std::vector<std::unique_ptr<model_worker<T>>> all;
    while (all.size() < count) all.push_back(worker(of));
    return all;
  }
  /// Bytes of memory of the host that a team takes.
  virtual std::size_t team_bytes(worker_settings const &of, std::size_t count) const = 0;
  /// Bytes of a device's memory that any team takes at most.
  virtual std::size_t device_bytes() const { return 0; }
  /// Name of the device that computes gradients; "": the host does.
  virtual std::string device_name() const { return ""; }
  /// The same model with gradients by the host, where a device computes them; else null.
  virtual std::shared_ptr<host_model const> on_host() const { return nullptr; }
  /// Number of workers on `cores` cores: one a core, or one for all cores where they share a batch.
  virtual std::size_t workers(std::size_t cores, std::size_t /*batch*/) const { return cores; }
  /// Whether all cores can share one batch.
  virtual bool shares_batches() const { return false; }
};

/// A model whose type does not name what it holds: any_model.
template <class M>
concept erased_model = requires(M const &m) {
  typename M::number;
  typename M::backend;
  { m.held() } -> std::convertible_to<model_in_numbers<typename M::number> const &>;
};

}  // namespace gossip
