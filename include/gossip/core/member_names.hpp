// Detection of members by name in whatever form, so that one which is there and cannot be used is
// refused instead of ignored.
#pragma once

#include <type_traits>

namespace gossip::detail {

/// A class X beside a class with one known name: the name is ambiguous where X has it too, be it
/// data, a type, a template, or a function that is not const.
template <class X, class Name>
struct with_name : X, Name {};

template <class X>
concept inheritable = std::is_class_v<X> && !std::is_final_v<X>;

struct named_check {
  int check;
};
template <class X>
concept mentions_check = inheritable<X> && !requires { &with_name<X, named_check>::check; };

struct named_factor {
  int factor;
};
template <class X>
concept mentions_factor = inheritable<X> && !requires { &with_name<X, named_factor>::factor; };

struct named_weights {
  int weights;
};
template <class X>
concept mentions_weights = inheritable<X> && !requires { &with_name<X, named_weights>::weights; };

struct named_on_start {
  int on_start;
};
template <class X>
concept mentions_on_start =
    inheritable<X> && !requires { &with_name<X, named_on_start>::on_start; };

struct named_on_round {
  int on_round;
};
template <class X>
concept mentions_on_round =
    inheritable<X> && !requires { &with_name<X, named_on_round>::on_round; };

struct named_on_trained {
  int on_trained;
};
template <class X>
concept mentions_on_trained =
    inheritable<X> && !requires { &with_name<X, named_on_trained>::on_trained; };

struct named_node_state {
  int node_state;
};
template <class X>
concept mentions_node_state =
    inheritable<X> && !requires { &with_name<X, named_node_state>::node_state; };

struct named_properties {
  int properties;
};
template <class X>
concept mentions_properties =
    inheritable<X> && !requires { &with_name<X, named_properties>::properties; };

struct named_keeps_squares {
  int keeps_squares;
};
template <class X>
concept mentions_keeps_squares =
    inheritable<X> && !requires { &with_name<X, named_keeps_squares>::keeps_squares; };

struct named_prepare {
  int prepare;
};
template <class X>
concept mentions_prepare = inheritable<X> && !requires { &with_name<X, named_prepare>::prepare; };

struct named_durations {
  int durations;
};
template <class X>
concept mentions_durations =
    inheritable<X> && !requires { &with_name<X, named_durations>::durations; };

struct named_data_shares {
  int data_shares;
};
template <class X>
concept mentions_data_shares =
    inheritable<X> && !requires { &with_name<X, named_data_shares>::data_shares; };

struct named_on_message {
  int on_message;
};
template <class X>
concept mentions_on_message =
    inheritable<X> && !requires { &with_name<X, named_on_message>::on_message; };

struct named_on_timer {
  int on_timer;
};
template <class X>
concept mentions_on_timer =
    inheritable<X> && !requires { &with_name<X, named_on_timer>::on_timer; };

struct named_on_answer {
  int on_answer;
};
template <class X>
concept mentions_on_answer =
    inheritable<X> && !requires { &with_name<X, named_on_answer>::on_answer; };

struct named_remarks {
  int remarks;
};
template <class X>
concept mentions_remarks = inheritable<X> && !requires { &with_name<X, named_remarks>::remarks; };

struct named_gradient_waits {
  int gradient_waits;
};
template <class X>
concept mentions_gradient_waits =
    inheritable<X> && !requires { &with_name<X, named_gradient_waits>::gradient_waits; };

struct named_replicas_identical {
  int replicas_identical;
};
template <class X>
concept mentions_replicas_identical =
    inheritable<X> && !requires { &with_name<X, named_replicas_identical>::replicas_identical; };

}  // namespace gossip::detail
