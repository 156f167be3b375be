// A variable of the environment that a test changes.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace gossip::test {

/// Put back as it was when the test ends.
class environment_variable {
 public:
  explicit environment_variable(std::string name) : name_(std::move(name)) {
    if (char const *const value = std::getenv(name_.c_str())) before_ = value;
  }
  ~environment_variable() {
    if (before_)
      set(*before_);
    else
      unset();
  }
  environment_variable(environment_variable const &) = delete;
  environment_variable &operator=(environment_variable const &) = delete;

  void set(std::string const &value) const { setenv(name_.c_str(), value.c_str(), 1); }
  void unset() const { unsetenv(name_.c_str()); }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace gossip::test
