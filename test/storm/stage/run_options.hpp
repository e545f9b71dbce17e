#pragma once
#include "test/storm/weather/fault.hpp"
#include "test/storm/weather/storm_plan.hpp"

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// One run: what is simulated, how hard, for how long, and what is left behind.
struct run_options {
  std::chrono::milliseconds length{30'000}; ///< of the storm, without start and drain
  std::size_t members = 3;
  std::size_t slices = 3'000; ///< over all members
  double rate = 200;          ///< changes per second offered by the users
  std::uint64_t seed = 1;
  std::vector<std::string> storms{"everything"};
  std::vector<std::string> faults{"none"};

  std::size_t kills = 0; ///< instead of a storm of that length: this many SIGKILLs during one, each judged
  bool journal = true;   ///< the program keeps one

  bool hub_controller = true; ///< the simulated hub plays its controller, which puts a finalizer on each export

  double qps = 200; ///< the program's limits, to each server
  double burst = 400;
  std::chrono::milliseconds drain{30'000}; ///< the longest time until all is right after the storm
  bool in_front_of_people = false;         ///< a live status block; else a line every 10 s
  bool keep = false;                       ///< leaves everything running after the verdict, until interrupted
  std::filesystem::path program;           ///< the binary
  std::filesystem::path report;            ///< JSON; empty: none
  std::filesystem::path history;           ///< a copy of the simulated servers' history; empty: none
  std::filesystem::path shim;              ///< the faulty disk's library, built with storm
  std::filesystem::path servers;           ///< JSON of real servers that run already; empty: simulated ones

  std::vector<std::string> member_names() const {
    std::vector<std::string> out;
    for (std::size_t i = 1; i <= members; ++i)
      out.push_back("member-" + std::to_string(i));
    return out;
  }
};

} // namespace sliceferry::storm
