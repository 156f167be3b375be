// Start and failure of a program of live learners: one sentence, and no rank left behind.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <new>
#include <span>
#include <string>
#include <system_error>

#include <gossip/core/error.hpp>
#include <gossip/transport/mpi/ranks.hpp>

#include "../command_line/stack_limit.hpp"

namespace live_sample {

/// The folder of the digits: the one given, that of the source tree, beside the installed program,
/// or here.
inline std::string digits_folder(std::string const &given) {
  namespace fs = std::filesystem;
  if (!given.empty()) return given;
  std::error_code code;
#ifdef GOSSIP_DIGITS
  if (fs::is_directory(GOSSIP_DIGITS, code)) return GOSSIP_DIGITS;
#endif
  fs::path const program = fs::read_symlink("/proc/self/exe", code);
  fs::path const installed = program.parent_path().parent_path() / "share/gossip/digits";
  return fs::is_directory(installed, code) ? installed.string() : "samples/data/digits";
}

/// Runs what may fail on some ranks before anything is sent. Where it did, rank 0 says why the
/// first of them failed, and it is false on all.
template <class Prepare>
bool prepared(gossip::mpi_ranks const &mpi, std::string const &program, Prepare prepare) {
  std::string fault;
  try {
    prepare();
  } catch (std::exception const &e) {
    fault = e.what();
  }
  for (std::string const &sentence : mpi.all_gather(fault)) {
    if (sentence.empty()) continue;
    if (mpi.rank() == 0) std::cerr << program << ": " << sentence << '\n';
    return false;
  }
  return true;
}

/// A line of one rank, written in one piece: what MPI says meanwhile does not come between its
/// words.
inline void say(std::string const &program, std::size_t rank, std::string const &sentence) {
  std::string line = program;
  line.append(": rank ").append(std::to_string(rank)).append(": ").append(sentence).append("\n");
  std::cerr << line << std::flush;
}

/// main: body(mpi, words) gives the exit status. What a rank throws ends all ranks at once.
template <class Body>
int start(std::string const &program, int count, char **words, Body body) {
  try {
    command_line::require_stack();
    gossip::mpi_ranks const mpi;
    mpi.require_threads();
    try {
      int const status = body(mpi, std::span<char const *const>(words + 1, words + count));
      if (std::cout.flush()) return status;
      throw gossip::error("standard output: cannot be written");
    } catch (std::bad_alloc const &) {
      say(program, mpi.rank(), "there is not enough memory");
    } catch (std::exception const &fault) {
      say(program, mpi.rank(), fault.what());
    }
    mpi.abort(1);
  } catch (std::exception const &fault) {
    std::cerr << program << ": " << fault.what() << std::endl;
    return 1;
  }
}

}  // namespace live_sample
