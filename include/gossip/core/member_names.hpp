// Detection of members by name in whatever form, so that one which is there and cannot be used is
// refused instead of ignored.
#pragma once

#include <type_traits>

namespace gossip::detail {

/// Members that a class may have, each under its name alone.
struct known_names {
  int check, factor, weights, on_start, on_round, on_trained, node_state, properties, keeps_squares,
      prepare, durations, data_shares, on_message, on_timer, on_answer, remarks;
};

/// A class X beside one with the known names: a name is ambiguous where X has it too, be it data, a
/// type, a template, or a function that is not const.
template <class X>
struct with_known_names : X, known_names {};

template <class X>
concept inheritable = std::is_class_v<X> && !std::is_final_v<X>;

template <class X>
concept mentions_check = inheritable<X> && !requires { &with_known_names<X>::check; };
template <class X>
concept mentions_factor = inheritable<X> && !requires { &with_known_names<X>::factor; };
template <class X>
concept mentions_weights = inheritable<X> && !requires { &with_known_names<X>::weights; };
template <class X>
concept mentions_on_start = inheritable<X> && !requires { &with_known_names<X>::on_start; };
template <class X>
concept mentions_on_round = inheritable<X> && !requires { &with_known_names<X>::on_round; };
template <class X>
concept mentions_on_trained = inheritable<X> && !requires { &with_known_names<X>::on_trained; };
template <class X>
concept mentions_node_state = inheritable<X> && !requires { &with_known_names<X>::node_state; };
template <class X>
concept mentions_properties = inheritable<X> && !requires { &with_known_names<X>::properties; };
template <class X>
concept mentions_keeps_squares =
    inheritable<X> && !requires { &with_known_names<X>::keeps_squares; };
template <class X>
concept mentions_prepare = inheritable<X> && !requires { &with_known_names<X>::prepare; };
template <class X>
concept mentions_durations = inheritable<X> && !requires { &with_known_names<X>::durations; };
template <class X>
concept mentions_data_shares = inheritable<X> && !requires { &with_known_names<X>::data_shares; };
template <class X>
concept mentions_on_message = inheritable<X> && !requires { &with_known_names<X>::on_message; };
template <class X>
concept mentions_on_timer = inheritable<X> && !requires { &with_known_names<X>::on_timer; };
template <class X>
concept mentions_on_answer = inheritable<X> && !requires { &with_known_names<X>::on_answer; };
template <class X>
concept mentions_remarks = inheritable<X> && !requires { &with_known_names<X>::remarks; };

}  // namespace gossip::detail
