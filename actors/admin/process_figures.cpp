#include "actors/admin/process_figures.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace sliceferry {
namespace {

std::string contents(const char* path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// When the machine was started, in seconds since the Unix epoch.
std::uint64_t boot_seconds() {
  std::ifstream file{"/proc/stat"};
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("btime "))
      return std::stoull(line.substr(6));
  return 0;
}

std::uint64_t count_open_files() {
  std::error_code failed;
  std::uint64_t count = 0;
  for (std::filesystem::directory_iterator each{"/proc/self/fd", failed}, end; !failed && each != end;
       each.increment(failed))
    ++count;
  return count > 0 ? count - 1 : 0; // one of them is the listing's own
}

} // namespace

std::optional<process_stat> parse_process_stat(std::string_view line) {
  const auto name_end = line.rfind(')');
  if (name_end == std::string_view::npos)
    return std::nullopt;
  std::istringstream rest{std::string{line.substr(name_end + 1)}};
  std::string skipped;
  const auto skip = [&](int count) {
    while (count-- > 0)
      rest >> skipped;
  };
  process_stat out;
  skip(11); // fields 3 to 13 of proc(5)
  rest >> out.user_ticks >> out.system_ticks;
  skip(4);
  rest >> out.threads;
  skip(1);
  rest >> out.start_ticks >> out.virtual_bytes >> out.resident_pages;
  if (!rest)
    return std::nullopt;
  return out;
}

process_figures read_process_figures() {
  process_figures out;
  const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  if (const auto stat = parse_process_stat(contents("/proc/self/stat"))) {
    out.cpu_seconds = static_cast<double>(stat->user_ticks + stat->system_ticks) / ticks_per_second;
    out.start_seconds = static_cast<double>(boot_seconds()) + static_cast<double>(stat->start_ticks) / ticks_per_second;
    out.virtual_bytes = stat->virtual_bytes;
    out.resident_bytes = stat->resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    out.threads = stat->threads;
  }
  out.open_files = count_open_files();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0)
    out.open_files_max = limit.rlim_cur;
  return out;
}

} // namespace sliceferry
