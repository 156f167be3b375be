#include "interruption.hpp"

#include <sys/time.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace simulate {

namespace {

std::atomic<bool> asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // written by a signal

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

}  // namespace

std::atomic<bool> const &asked_to_end() {
  return asked;
}

void catch_signals() {
  struct sigaction action{}, before{};
  action.sa_handler = [](int) {
    asked = true;
    for (int const signal : signals) std::signal(signal, SIG_DFL);
  };
  sigaction(SIGHUP, nullptr, &before);
  for (int const signal : signals)
    if (signal != SIGHUP || before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
}

void ask_to_end_after(std::chrono::nanoseconds time) {
  struct sigaction action{};
  action.sa_handler = [](int) { asked = true; };
  sigaction(SIGALRM, &action, nullptr);
  auto const whole = std::chrono::floor<std::chrono::seconds>(time);
  auto const rest = std::chrono::floor<std::chrono::microseconds>(time - whole);
  itimerval once{};
  once.it_value.tv_sec = whole.count();
  once.it_value.tv_usec = rest.count();
  if (time < std::chrono::microseconds(1)) asked = true;
  setitimer(ITIMER_REAL, &once, nullptr);
}

last_minute::duty::duty(last_minute &of, std::function<void(std::exception const &)> what)
    : of_(of) {
  std::lock_guard const turn(of_.lock_);
  of_.what_ = std::move(what);
}

last_minute::duty::~duty() {
  std::lock_guard const turn(of_.lock_);
  of_.what_ = nullptr;
}

void last_minute::watch(std::stop_token const &over) {
  using clock = std::chrono::steady_clock;
  auto end = clock::time_point::max();
  while (!over.stop_requested() && !reached_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (!asked || long_works_ > 0)
      end = clock::time_point::max();
    else if (end == clock::time_point::max())
      end = clock::now() + std::chrono::minutes(1);
    if (clock::now() > end && !reached_) give_up();
  }
}

void last_minute::give_up() {
  not_ended const fault("interrupted: no level has ended within a minute");
  std::lock_guard const turn(lock_);
  if (what_) what_(fault);
  std::cerr << fault.what() << std::endl;
  std::_Exit(1);
}

}  // namespace simulate
