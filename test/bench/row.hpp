#pragma once
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sliceferry::bench {

/// One figure beside its goals. Without a "must" it is told for its own sake.
struct row {
  std::string what;
  double measured = 0;
  std::string unit;
  std::optional<double> must{};
  std::optional<double> aim{};
  bool more_is_better = false;

  bool reaches(const std::optional<double>& goal) const {
    return !goal || (more_is_better ? measured >= *goal : measured <= *goal);
  }
};

/// The rows of one measurement, each printed as soon as it is known.
///
/// Whatever else ran on the machine is told by the load average beside each row: CPU figures bear company within some
/// 30 %, wall-clock ones don't.
class row_table {
public:
  explicit row_table(bool judged) : judged_(judged) {
    std::printf("%-78s %14s %10s %10s  %-5s %s\n", "what", "measured", "must", "aim", "met?", "load");
  }

  void add(const row& each) {
    const char* met = !each.must ? "" : !each.reaches(each.must) ? "NO" : each.reaches(each.aim) ? "yes" : "must";
    missed_ += each.reaches(each.must) ? 0 : 1;
    std::printf("%-78s %14s %10s %10s  %-5s %s\n", each.what.c_str(), text(each.measured, each.unit).c_str(),
                goal(each, each.must).c_str(), goal(each, each.aim).c_str(), met, load().c_str());
    std::fflush(stdout);
  }

  void note(const std::string& text) {
    std::printf("  %s\n", text.c_str());
    std::fflush(stdout);
  }

  /// 1 if a must was missed, unless nothing is judged.
  int exit_code() const {
    if (!judged_)
      std::puts("sizes too small to judge: only that all of it works");
    else if (missed_ > 0)
      std::printf("%d of what must be reached was not\n", missed_);
    return judged_ && missed_ > 0 ? 1 : 0;
  }

private:
  static std::string text(double number, const std::string& unit) {
    char out[64];
    const int digits = number >= 100 || number == 0 ? 0 : number >= 10 ? 1 : number >= 1 ? 2 : 3;
    std::snprintf(out, sizeof out, "%.*f", digits, number);
    return std::string{out} + (unit.empty() ? "" : " " + unit);
  }

  static std::string goal(const row& of, const std::optional<double>& number) {
    return number ? (of.more_is_better ? "≥ " : "≤ ") + text(*number, {}) : "";
  }

  /// Of the last minute.
  static std::string load() {
    std::string out;
    std::ifstream{"/proc/loadavg"} >> out;
    return out;
  }

  bool judged_;
  int missed_ = 0;
};

} // namespace sliceferry::bench
