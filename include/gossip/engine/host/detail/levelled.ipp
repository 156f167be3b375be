// Definitions of engine/host/levelled.hpp.
#pragma once

#include <gossip/engine/host/levelled.hpp>

#include <array>
#include <atomic>

#include <gossip/engine/training_place.hpp>
#include <gossip/fleet/used_slots.hpp>
#include <gossip/model/batch_owners.hpp>

namespace gossip {

template <class T, class Row>
levelled_engine<T, Row>::levelled_engine(inputs const &p)
    : machine_(p.machine),
      model_(p.model),
      d_(p.model.outline().row_length()),
      rows_(p.rows),
      arithmetic_(p.arithmetic),
      program_(p.machine, p.rows.size(), p.arithmetic, p.columns, functions_),
      stages_(p.rows, p.columns.trainable, p.model.outline().tensors, functions_),
      rows_sum_(p.rows, p.columns),
      reestimation_(p.reestimation),
      losses_(p.rows.size()),
      scaling_(p.model.scaling(), p.rows.size()),
      writes_(p.seed, p.rows.size()),
      cohort_results_(p.rows.size().nodes) {
  std::size_t const cores = machine_.workers(), count = model_.workers(cores, p.batch);
  workers_ = model_.team({.samples = p.samples,
                          .seed = p.seed,
                          .batch = p.batch,
                          .widens = widens,
                          .nodes = p.rows.size().held_nodes(),
                          .test_bytes = p.test_bytes,
                          .rows = p.rows.memory()},
                         count);
  tasks_.resize(count * workers_.front()->tasks_at_once());
  for (std::size_t w = 0; w < cores; ++w) {
    scratch_.emplace_back(tile_scratch(machine_, p.rows.size().rows()));
    if (p.rows.size().shared) sums_.emplace_back(2 * d_);
  }
}

template <class T, class Row>
std::size_t levelled_engine<T, Row>::working_bytes(host_model<T> const &model,
                                                   host_machine<T> const &machine,
                                                   std::size_t nodes, std::size_t batch,
                                                   bool shared, std::size_t trained) {
  std::size_t const workers = machine.workers();
  std::size_t const sums = shared ? 2 * model.outline().row_length() * sizeof(std::int64_t) : 0;
  worker_settings const settings{.batch = batch, .widens = widens, .nodes = trained};
  return model.team_bytes(settings, model.workers(workers, batch)) +
         workers * (tile_scratch(machine, nodes) * sizeof(T) + sums);
}

template <class T, class Row>
void levelled_engine<T, Row>::name_state(state_visitor const &visit) {
  name_engine_state(visit, rows_, host_row_copies{machine_}, losses_, scaling_, writes_);
  if (!sums_.empty()) {
    auto const sums = gathered_sums();
    name_sums(visit, sums.first(d_), sums.last(d_));
  }
}

template <class T, class Row>
std::span<std::int64_t> levelled_engine<T, Row>::gathered_sums() {
  if (sums_.empty()) return {};
  reproducible_sum const total = sum_of(0);
  for (std::size_t w = 1; w < sums_.size(); ++w)
    for (std::size_t c = 0; c < d_; ++c) total.take(sum_of(w), c);
  return sums_[0].span();
}

template <class T, class Row>
std::vector<evaluation> levelled_engine<T, Row>::evaluate(std::span<std::uint32_t const> nodes,
                                                          T const *extra, dataset const &test,
                                                          std::span<std::uint32_t const> samples) {
  std::vector<evaluation> all;
  if (nodes.empty()) return evaluate_together(nullptr, nodes, extra, test, samples);
  used_slots const read{1};
  each_owners_part(rows_, read, nodes, [&](auto const &rows, auto part, std::size_t done) {
    bool const last = done + part.size() == nodes.size();
    auto const some = evaluate_together(&rows, part, last ? extra : nullptr, test, samples);
    all.insert(all.end(), some.begin(), some.end());
  });
  return all;
}

template <class T, class Row>
std::vector<evaluation> levelled_engine<T, Row>::evaluate_together(
    leased_rows<Row> const *rows, std::span<std::uint32_t const> nodes, T const *extra,
    dataset const &test, std::span<std::uint32_t const> samples) {
  evaluation_chunks const chunks{nodes.size() + (extra ? 1 : 0), samples.size()};
  std::vector<evaluation> results(chunks.models * chunks.per_model());
  std::size_t const statistics = model_.outline().statistics;
  std::vector<T> fresh(reestimation_ > 0 ? chunks.models * statistics : 0);
  auto const row = [&](std::size_t m) {
    return m < nodes.size() ? stored_row<T>(rows->row(0, nodes[m])) : stored_row<T>(extra);
  };
  if (!fresh.empty())
    each_batch(chunks.models, [&](std::size_t w, std::size_t m) {
      node const *const own = m < nodes.size() ? &nodes[m] : nullptr;
      workers_[w]->measure(row(m), owners_of_batches(reestimation_, rows_.size().nodes, own),
                           fresh.data() + m * statistics);
    });
  each_batch(results.size(), [&](std::size_t w, std::size_t p) {
    std::size_t const m = p / chunks.per_model(), c = p % chunks.per_model();
    T const *const own = fresh.empty() ? nullptr : fresh.data() + m * statistics;
    results[p] =
        workers_[w]->score(row(m), own, test, samples.subspan(chunks.first(c), chunks.count(c)));
  });
  return chunks.add(results);
}

template <class T, class Row>
void levelled_engine<T, Row>::train(std::span<operation const> cohort,
                                    std::span<operation const> following) {
  each_operations_part(
      rows_, cohort, [this](auto const &rows, auto part) { train_together(rows, part); },
      rows_.prefers_owners() ? of_two_owners(following) : none);
}

template <class T, class Row>
void levelled_engine<T, Row>::train_together(leased_rows<Row> const &rows,
                                             std::span<operation const> cohort) {
  std::atomic<std::size_t> failed{cohort.size()};
  std::size_t const fair = (cohort.size() + workers_.size() - 1) / workers_.size();
  std::size_t const most = std::min(workers_.front()->tasks_at_once(), fair);
  each_batch((cohort.size() + most - 1) / most, [&](std::size_t w, std::size_t part) {
    std::size_t const first = part * most, count = std::min(most, cohort.size() - first);
    gradient_task<T> *const tasks = tasks_.data() + w * most;
    for (std::size_t k = 0; k < count; ++k) {
      operation const &o = cohort[first + k];
      tasks[k] = {o.train().share, o.train().batch, stored_row<T>(rows.row(o.slot(), o.a)),
                  scaling_.scale(o.a)};
    }
    expect_rows(rows, w, cohort, first);
    workers_[w]->compute({tasks, count}, &cohort_results_[first]);
    for (std::size_t k = first; k < first + count; ++k) {
      auto const [loss, finite] = cohort_results_[k];
      if (losses_.take(cohort[k], loss) &&
          absorb(rows, w, cohort[k], finite, workers_[w]->gradient(k - first)))
        continue;
      std::size_t least = failed;
      while (k < least && !failed.compare_exchange_weak(least, k)) {
      }
    }
  });
  if (failed < cohort.size()) refuse_loss(cohort[failed], cohort_results_[failed].loss);
  for (std::size_t k = 0; k < cohort.size(); ++k)
    scaling_.trained(cohort[k], cohort_results_[k].finite);
}

template <class T, class Row>
void levelled_engine<T, Row>::expect_rows(leased_rows<Row> const &rows, std::size_t w,
                                          std::span<operation const> cohort, std::size_t k) {
  if (rows.size().shared) return;
  std::array<void const *, 1 + std::tuple_size_v<decltype(column_range<T>::rows)>> next;
  std::size_t count = 0;
  if (k + workers_.size() < cohort.size())
    next[count++] = rows.row(0, cohort[k + workers_.size()].a);
  for (std::size_t s = 1; s <= rows.size().optimizer_rows; ++s)
    next[count++] = rows.row(s, cohort[k].a);
  workers_[w]->expect(std::span(next).first(count), d_ * sizeof(Row));
}

template <class T, class Row>
bool levelled_engine<T, Row>::absorb(leased_rows<Row> const &rows, std::size_t w,
                                     operation const &o, bool finite, T const *gradient) {
  if (!finite) return true;  // the scaling leaves out the step
  if (rows.size().shared) return host::add_columns(sum_of(w), 1.0, gradient, 0, d_);
  take_gradient(rows, arithmetic_, o, arithmetic_.scale(o.rate(), scaling_.number(o)), gradient, d_,
                writes_.next(o.a));
  return true;
}

template <class T, class Row>
void levelled_engine<T, Row>::run_program(std::span<operation const> operations,
                                          plan_window const &window,
                                          std::span<operation const> following) {
  auto const prepare = [&](std::span<operation const> some) {
    program_.prepare(some, window, matrices_, scaling_, writes_, stages_.scalars());
    return program_.used();
  };
  auto const run = [&](auto const &rows, std::size_t begin, std::size_t end) {
    each_tile(machine_, begin, end, [&](std::size_t w, std::size_t first, std::size_t last) {
      if (sums_.empty()) return program_.run(rows, first, last, scratch_[w].data(), nullptr);
      reproducible_sum const total = sum_of(0);
      for (std::size_t other = 1; other < sums_.size(); ++other)
        for (std::size_t c = first; c < last; ++c) total.take(sum_of(other), c);
      program_.run(rows, first, last, scratch_[w].data(), &total);
    });
  };
  each_program_part(rows_, d_, operations, following, prepare, run);
}

}  // namespace gossip
