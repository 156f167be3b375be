// Definitions of core/named_state.hpp.
#pragma once

#include <gossip/core/named_state.hpp>

#include <iterator>

#include <gossip/core/inline.hpp>

namespace gossip {

GOSSIP_INLINE void state_visitor::visit(
    std::string const &name, number_kind kind, std::span<std::byte> bytes,
    std::function<std::span<std::byte>(std::size_t)> const &resized) const {
  std::function<void(std::size_t)> resize;
  if (resized) resize = [&](std::size_t size) { bytes = resized(size); };
  f_({path(name),
      kind,
      0,
      {},
      bytes.size() / size_of(kind),
      [&](std::size_t, std::size_t, std::byte *to) { std::ranges::copy(bytes, to); },
      [&](std::size_t, std::size_t, std::byte const *from) {
        std::copy_n(from, bytes.size(), bytes.data());
      },
      std::move(resize)});
}

GOSSIP_INLINE void saved_state::give(state_part const &p) const {
  auto const saved = shape_of(p.name);
  if (!saved) throw input_error("state", "a part " + p.name, "none");
  std::string const where = "state: " + p.name;
  if (saved->kind != p.kind) throw input_error(where, name_of(p.kind), name_of(saved->kind));
  bool const fits = saved->owners == p.owners && (saved->each == p.each || p.resize);
  if (!fits)
    throw input_error(where, words_of(p.owners, p.each), words_of(saved->owners, saved->each));
  if (p.resize) p.resize(saved->each);
  each_block(p.name, p.held, p.copy_in);
}

GOSSIP_INLINE void named_state::add(named_state const &other) {
  for (auto const &[name, more] : other.parts_) {
    part &own = parts_.try_emplace(name, more).first->second;
    if (own.owners == 0 || own.held == more.held) continue;
    part both{own.kind, own.owners, own.each, {}, {}};
    std::ranges::set_union(own.held, more.held, std::back_inserter(both.held));
    std::size_t const row = own.each * size_of(own.kind);
    both.bytes.resize(both.held.size() * row);
    auto const copy = [&](part const &from) {
      for (std::size_t k = 0; k < from.held.size(); ++k)
        std::copy_n(from.bytes.data() + k * row, row,
                    both.bytes.data() + place(both, from.held[k]) * row);
    };
    copy(more);
    copy(own);
    own = std::move(both);
  }
}

GOSSIP_INLINE void named_state::take(state_part const &p) {
  auto const [at, is_first] = parts_.try_emplace(p.name);
  if (!is_first) throw error("state: " + p.name + " is named twice");
  part &to = at->second;
  to = {p.kind, p.owners, p.each, {p.held.begin(), p.held.end()}, {}};
  to.bytes.resize(p.rows() * p.each * size_of(p.kind));
  p.copy_out(0, p.rows(), to.bytes.data());
}

}  // namespace gossip
