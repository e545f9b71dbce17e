#include "actors/log.hpp"

#include "actors/log_repeats.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>
#include <utility>

namespace sliceferry::log {
namespace {

std::atomic<bool> as_json = false;

spdlog::level::level_enum level_of(log_level level) {
  switch (level) {
    case log_level::debug:
      return spdlog::level::debug;
    case log_level::info:
      return spdlog::level::info;
    case log_level::warning:
      return spdlog::level::warn;
    case log_level::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

/// Time and level come from spdlog's pattern, the rest is rendered here.
std::shared_ptr<spdlog::logger> make_logger(bool json) {
  spdlog::sink_ptr sink;
  if (json)
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  else
    sink = std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  const char* const pattern =
    json ? R"({"ts":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})" : "%Y-%m-%dT%H:%M:%S.%eZ %^%l%$ %v";
  auto out = std::make_shared<spdlog::logger>("sliceferry", std::move(sink));
  out->set_pattern(pattern, spdlog::pattern_time_type::utc);
  return out;
}

/// The logger in use. It may be replaced only while no other thread logs: at the start.
std::shared_ptr<spdlog::logger>& current() {
  static std::shared_ptr<spdlog::logger> logger = make_logger(false);
  return logger;
}

std::optional<std::size_t> admit(std::string_view line) {
  static std::mutex guard;
  static log_repeats repeats;
  const std::lock_guard lock{guard};
  return repeats.admit(line, std::chrono::steady_clock::now());
}

void print(spdlog::level::level_enum level, std::string_view message, const fields& values) {
  if (!current()->should_log(level))
    return;
  std::string line = as_json ? to_json_members(message, values) : to_text(message, values);
  if (level >= spdlog::level::warn) {
    const auto left_out = admit(line);
    if (!left_out)
      return;
    if (*left_out > 0)
      line += (as_json ? ",\"repeated\":" : " repeated=") + std::to_string(*left_out);
  }
  current()->log(level, spdlog::string_view_t{line.data(), line.size()});
}

} // namespace

void open(log_format format, log_level level) {
  as_json = format == log_format::json || (format == log_format::automatic && ::isatty(STDERR_FILENO) == 0);
  current() = make_logger(as_json);
  current()->set_level(level_of(level));
}

void debug(std::string_view message, fields values) {
  print(spdlog::level::debug, message, values);
}

void info(std::string_view message, fields values) {
  print(spdlog::level::info, message, values);
}

void warning(std::string_view message, fields values) {
  print(spdlog::level::warn, message, values);
}

void error(std::string_view message, fields values) {
  print(spdlog::level::err, message, values);
}

} // namespace sliceferry::log
