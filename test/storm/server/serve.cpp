#include "test/storm/server/serve.hpp"

#include "test/storm/server/serve_fleet.hpp"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include <sys/prctl.h>
#include <sys/resource.h>

namespace sliceferry::storm {
namespace {

/// A thousand members have more connections than the usual limit allows.
void raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Whoever sees the file sees all of it.
void write_whole(const std::string& path, const std::string& text) {
  const std::string half = path + ".part";
  {
    std::ofstream out{half, std::ios::trunc};
    out << text << '\n';
    if (!out.flush())
      throw std::runtime_error{"the ready file can't be written to " + path};
  }
  if (std::rename(half.c_str(), path.c_str()) != 0)
    throw std::runtime_error{"the ready file can't be put at " + path};
}

} // namespace

int serve(const serve_options& options) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGPIPE, SIG_IGN); // a reader that went away shows as an error of the write
  raise_descriptor_limit();
  serve_fleet fleet{options};
  fleet.stop_at_signals();
  if (!options.ready_file.empty())
    write_whole(options.ready_file, fleet.addresses());
  return fleet.run() ? 0 : 1;
}

} // namespace sliceferry::storm
