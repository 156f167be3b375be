// What the runs of a sweep share: data sets and the memory of the machine.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gossip/core/files_read.hpp>

#include "assembly.hpp"
#include "configuration.hpp"
#include "values.hpp"

namespace simulate {

/// Data sets by what configurations say of them: each is loaded once, and given back after the last
/// run that needs it.
class shared_data {
 public:
  void announce(configuration const &config) { ++sets_[key_of(config)].runs; }

  std::shared_ptr<data_pair const> of(configuration const &config) {
    std::lock_guard const turn(lock_);
    entry &known = sets_[key_of(config)];
    if (known.sets) {
      for (gossip::file_content const &one : known.files) gossip::files_read::add(one);
    } else {
      gossip::files_read list;
      known.sets = std::make_shared<data_pair const>(data_of(config));
      known.files = list.files();
    }
    return known.sets;
  }

  /// After a run, also one that failed before it asked.
  void release(configuration const &config) {
    std::lock_guard const turn(lock_);
    if (entry &known = sets_[key_of(config)]; --known.runs == 0) known.sets.reset();
  }

 private:
  struct entry {
    std::shared_ptr<data_pair const> sets;
    std::vector<gossip::file_content> files;  // from which they were read
    std::size_t runs = 0;                     // that are still to come
  };

  static std::string key_of(configuration const &config) {
    json key;
    if (config.complete().contains("data")) key = samples_of(config["/data"]);
    // Synthetic samples have the model's shape.
    return key.dump() + config["/evaluate/held_out"].dump() + config["/model"].dump();
  }

  std::mutex lock_;
  std::map<std::string, entry> sets_;
};

/// Memory for the runs at work: each waits until what it needs is free, or nobody works.
class shared_memory {
 public:
  explicit shared_memory(std::size_t bytes) : bytes_(bytes) {}

  /// A run's part, while it is at work.
  class share {
   public:
    share(shared_memory &of, std::size_t bytes) : of_(of), bytes_(bytes) {
      std::unique_lock turn(of_.lock_);
      of_.given_back_.wait(turn,
                           [&] { return of_.used_ + bytes_ <= of_.bytes_ || of_.used_ == 0; });
      of_.used_ += bytes_;
    }
    share(share const &) = delete;
    share &operator=(share const &) = delete;
    ~share() {
      std::lock_guard const turn(of_.lock_);
      of_.used_ -= bytes_;
      of_.given_back_.notify_all();
    }

   private:
    shared_memory &of_;
    std::size_t bytes_;
  };

 private:
  std::mutex lock_;
  std::condition_variable given_back_;
  std::size_t bytes_, used_ = 0;
};

}  // namespace simulate
