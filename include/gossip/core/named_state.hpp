// State by name: everything that a run needs to go on is described part by part to a visitor, which
// copies numbers out or in. Names do not depend on the engine, nor on threads and ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gossip/core/error.hpp>
#include <gossip/core/float16.hpp>
#include <gossip/core/node.hpp>

namespace gossip {

/// Element types of parts.
enum class number_kind : std::uint8_t { float64, float32, fp16, bf16, int64, uint64, uint32, byte };

constexpr char const *name_of(number_kind kind) {
  constexpr char const *names[] = {"float64", "float32", "fp16",   "bf16",
                                   "int64",   "uint64",  "uint32", "byte"};
  return names[static_cast<std::size_t>(kind)];
}
constexpr std::size_t size_of(number_kind kind) {
  constexpr std::size_t sizes[] = {8, 4, 2, 2, 8, 8, 4, 1};
  return sizes[static_cast<std::size_t>(kind)];
}

template <class V>
constexpr number_kind kind_of() {
  constexpr number_kind kind = std::is_same_v<V, double>          ? number_kind::float64
                               : std::is_same_v<V, float>         ? number_kind::float32
                               : std::is_same_v<V, fp16>          ? number_kind::fp16
                               : std::is_same_v<V, bf16>          ? number_kind::bf16
                               : std::is_same_v<V, std::int64_t>  ? number_kind::int64
                               : std::is_same_v<V, std::uint64_t> ? number_kind::uint64
                               : std::is_same_v<V, std::uint32_t> ? number_kind::uint32
                                                                  : number_kind::byte;
  static_assert(sizeof(V) == size_of(kind), "gossip::state_visitor: a part is made of numbers");
  return kind;
}

/// One part of a state, as its holder describes it: a row of `each` numbers for every owner, or one
/// row that belongs to all. Valid while it is visited.
struct state_part {
  std::string name;
  number_kind kind;
  std::size_t owners;          ///< of the whole network; 0: one row belongs to all
  std::span<node const> held;  ///< the owners whose rows are here, ascending
  std::size_t each;            ///< numbers
  /// Rows first to first + count of those here, to and from (count, each) numbers of host memory.
  std::function<void(std::size_t first, std::size_t count, std::byte *to)> copy_out;
  std::function<void(std::size_t first, std::size_t count, std::byte const *from)> copy_in;
  std::function<void(std::size_t)> resize;  ///< only of a list: its length is part of the state

  std::size_t rows() const { return owners == 0 ? 1 : held.size(); }
};

/// A visitor of all that has state, which describes each of its parts to it once, in any order.
class state_visitor {
 public:
  using function = std::function<void(state_part const &)>;

  /// f(part) for every part, whose names begin with the prefix.
  explicit state_visitor(function f, std::string prefix = {})
      : f_(std::move(f)), prefix_(std::move(prefix)) {}

  /// For parts of a part.
  state_visitor within(std::string const &part) const {
    return state_visitor(f_, path(part) + '/');
  }

  /// A part that its holder has described.
  void part(state_part p) const {
    p.name = path(p.name);
    f_(p);
  }

  template <class V>
  void value(std::string const &name, V &value) const {
    numbers(name, std::span<V>(&value, 1));
  }

  /// A fixed count of numbers, the same in every run of these settings.
  template <class V>
  void numbers(std::string const &name, std::span<V> values) const {
    visit(name, kind_of<V>(), std::as_writable_bytes(values), {});
  }

  /// A list whose length is part of the state.
  template <class List>
  void list(std::string const &name, List &values) const {
    using V = typename List::value_type;
    visit(name, kind_of<V>(), std::as_writable_bytes(std::span<V>(values)),
          [&values](std::size_t size) {
            values.resize(size);
            return std::as_writable_bytes(std::span<V>(values));
          });
  }

  template <class V>
  void optional(std::string const &name, std::optional<V> &value) const {
    std::vector<V> values(value ? 1 : 0, value.value_or(V{}));
    list(name, values);
    value = values.empty() ? std::nullopt : std::optional<V>(values.front());
  }

  /// One number of each owner; at(owner): a reference to it.
  template <class F>
  void by_owner(std::string const &name, std::size_t owners, std::span<node const> held,
                F at) const {
    using V = std::remove_cvref_t<decltype(at(node{0}))>;
    rows<V>(
        name, owners, held, 1,
        [=](std::size_t first, std::size_t count, V *to) {
          for (std::size_t k = 0; k < count; ++k) to[k] = at(held[first + k]);
        },
        [=](std::size_t first, std::size_t count, V const *from) {
          for (std::size_t k = 0; k < count; ++k) at(held[first + k]) = from[k];
        });
  }

  /// Rows of owners; out(first, count, to) and in(first, count, from) as in state_part, of V.
  template <class V, class Out, class In>
  void rows(std::string const &name, std::size_t owners, std::span<node const> held,
            std::size_t each, Out out, In in) const {
    f_({path(name),
        kind_of<V>(),
        owners,
        held,
        each,
        [&](std::size_t first, std::size_t count, std::byte *to) {
          out(first, count, reinterpret_cast<V *>(to));
        },
        [&](std::size_t first, std::size_t count, std::byte const *from) {
          in(first, count, reinterpret_cast<V const *>(from));
        },
        {}});
  }

 private:
  std::string path(std::string const &name) const { return prefix_ + name; }

  /// One row that belongs to all.
  void visit(std::string const &name, number_kind kind, std::span<std::byte> bytes,
             std::function<std::span<std::byte>(std::size_t)> const &resized) const;

  function f_;
  std::string prefix_;
};

/// A state that was saved, in memory or elsewhere: parts by name.
class saved_state {
 public:
  /// The size of a part, as in state_part.
  struct shape {
    number_kind kind;
    std::size_t owners, each;

    friend bool operator==(shape const &, shape const &) = default;
  };
  /// Numbers (count, each) of the owners from number `first` on of a list.
  using block = std::function<void(std::size_t first, std::size_t count, std::byte const *)>;

  virtual ~saved_state() = default;

  /// All names, in any order.
  virtual std::vector<std::string> names() const = 0;
  /// None: there is no such part.
  virtual std::optional<shape> shape_of(std::string const &name) const = 0;
  /// f(first, count, numbers) for owners in some blocks, in order; of a part that belongs to all
  /// once, with a count of 1. Throws input_error where an owner is missing, error where the numbers
  /// cannot be read.
  virtual void each_block(std::string const &name, std::span<node const> owners,
                          block const &f) const = 0;

  /// Copies to what name_state(visitor) describes. Throws input_error where a part is missing, has
  /// another element type or shape, or is left over.
  template <class Named>
  void restore(Named name_state) const {
    std::map<std::string, bool> given;
    name_state(state_visitor([&](state_part const &p) {
      give(p);
      given[p.name] = true;
    }));
    for (std::string const &name : names())
      if (!given.contains(name))
        throw input_error("state", "only parts that the run has", name + " besides");
  }

  /// The numbers of a part that belongs to all. Throws input_error where there is none.
  template <class V>
  std::vector<V> list(std::string const &name) const {
    std::vector<V> values;
    state_visitor([&](state_part const &p) { give(p); }).list(name, values);
    return values;
  }

 protected:
  saved_state() = default;
  saved_state(saved_state const &) = default;
  saved_state(saved_state &&) = default;
  saved_state &operator=(saved_state const &) = default;
  saved_state &operator=(saved_state &&) = default;

  [[noreturn]] static void refuse_owner(std::string const &part, node owner) {
    throw input_error("state: " + part, "the numbers of owner " + std::to_string(owner), "none");
  }

 private:
  static std::string words_of(std::size_t owners, std::size_t each) {
    std::string const numbers = std::to_string(each) + " numbers";
    return owners == 0 ? numbers : numbers + " of each of " + std::to_string(owners) + " owners";
  }

  void give(state_part const &p) const;
};

/// A state in memory: a copy of all its parts, of one rank those of its owners.
class named_state : public saved_state {
 public:
  struct part {
    number_kind kind;
    std::size_t owners, each;      // as in state_part
    std::vector<node> held;        // ascending
    std::vector<std::byte> bytes;  // (held, each), or (each) of all

    friend bool operator==(part const &, part const &) = default;
  };

  /// A copy of all parts that name_state(visitor) describes.
  template <class Named>
  static named_state of(Named name_state) {
    named_state state;
    name_state(state_visitor([&](state_part const &p) { state.take(p); }));
    return state;
  }

  std::map<std::string, part> const &parts() const { return parts_; }
  /// A part that was saved elsewhere.
  void put(std::string const &name, part saved) { parts_[name] = std::move(saved); }

  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (auto const &[name, one] : parts_) all.push_back(name);
    return all;
  }
  std::optional<shape> shape_of(std::string const &name) const override {
    auto const found = parts_.find(name);
    if (found == parts_.end()) return std::nullopt;
    return shape{found->second.kind, found->second.owners, found->second.each};
  }
  void each_block(std::string const &name, std::span<node const> owners,
                  block const &f) const override {
    part const &saved = parts_.at(name);
    if (saved.owners == 0) return f(0, 1, saved.bytes.data());
    std::size_t const row = saved.each * size_of(saved.kind);
    for (std::size_t k = 0; k < owners.size();) {  // owners side by side go together
      std::size_t const first = place(saved, owners[k]);
      std::size_t count = 0;
      while (k + count < owners.size() && first + count < saved.held.size() &&
             saved.held[first + count] == owners[k + count])
        ++count;
      if (count == 0) refuse_owner(name, owners[k]);
      f(k, count, saved.bytes.data() + first * row);
      k += count;
    }
  }

  std::size_t bytes() const {
    std::size_t sum = 0;
    for (auto const &[name, one] : parts_) sum += one.bytes.size();
    return sum;
  }

  /// The rows of owners that another rank has; of what belongs to all this rank's stay.
  void add(named_state const &other);

 private:
  static std::size_t place(part const &saved, node owner) {
    auto const at = std::ranges::lower_bound(saved.held, owner);
    return static_cast<std::size_t>(at - saved.held.begin());
  }

  void take(state_part const &p);

  std::map<std::string, part> parts_;
};

}  // namespace gossip

#ifndef GOSSIP_COMPILED
#include <gossip/core/detail/named_state.ipp>
#endif
