#include "test/storm/stage/journal_watch.hpp"

#include "test/storm/stage/child.hpp"

#include <fmt/format.h>

#include <fstream>

namespace sliceferry::storm {
namespace {

constexpr std::chrono::seconds patience{120}; ///< with one command

} // namespace

journal_watch::journal_watch(watched_journal where)
  : where_{std::move(where)}, check_{where_.program_user, where_.member_of_hub_nspace} {
  std::filesystem::create_directories(where_.folder);
}

journal_watch::~journal_watch() {
  finish_round();
}

void journal_watch::observe(const history_entry& entry) {
  const std::scoped_lock lock{mutex_};
  check_.observe(entry);
}

void journal_watch::begin_round() {
  if (round_.valid() && round_.wait_for(std::chrono::seconds{0}) != std::future_status::ready)
    return;
  finish_round();
  round_ = std::async(std::launch::async, [this] { return round(false); });
}

std::string journal_watch::final_round() {
  finish_round();
  if (auto wrong = broken(); !wrong.empty())
    return wrong;
  return round(true);
}

void journal_watch::finish_round() {
  if (!round_.valid())
    return;
  if (auto wrong = round_.get(); !wrong.empty()) {
    const std::scoped_lock lock{mutex_};
    broken_ = std::move(wrong);
  }
}

std::string journal_watch::round(bool is_final) {
  std::uint64_t known = 0;
  {
    const std::scoped_lock lock{mutex_};
    check_.seal();
    known = check_.position();
  }
  const auto output = where_.folder / "history";
  if (auto wrong = run({"history", "--after", std::to_string(known), "-o", "json"}, output); !wrong.empty()) {
    const std::scoped_lock lock{mutex_};
    if (!is_damaged_)
      return wrong;
    if (is_final)
      check_.forget();
    return {};
  }
  std::ifstream lines{output};
  const std::scoped_lock lock{mutex_};
  is_damaged_ = false;
  for (std::string line; std::getline(lines, line);)
    check_.record(line);
  check_.judge(is_final);
  return {};
}

std::string journal_watch::replay() {
  const auto output = where_.folder / "replay";
  auto wrong = run({"replay"}, output);
  if (!wrong.empty()) {
    std::string said;
    std::getline(std::ifstream{output}, said, '\0');
    wrong += said.substr(0, 2'000);
  }
  return wrong;
}

std::string journal_watch::run(const std::vector<std::string>& words, const std::filesystem::path& output) const {
  child_options how;
  how.command = {where_.binary.string()};
  how.command.insert(how.command.end(), words.begin(), words.end());
  how.command.insert(how.command.end(), {"--data-dir", where_.data_dir.string()});
  how.log = (where_.folder / "errors").string();
  how.output = output.string();
  std::filesystem::remove(how.log);
  child one{how};
  const auto code = one.start() ? one.wait(patience) : std::optional<int>{};
  if (code == 0)
    return {};
  return fmt::format("sliceferry {} {}: {}\n", fmt::join(words, " "),
                     code ? fmt::format("exit code {}", *code) : "no end", one.tail());
}

void journal_watch::excuse(instant from, instant until) {
  const std::scoped_lock lock{mutex_};
  check_.excuse(from, until);
}

void journal_watch::forget() {
  finish_round();
  const std::scoped_lock lock{mutex_};
  check_.forget();
  is_damaged_ = true;
}

std::vector<violation> journal_watch::violations() const {
  const std::scoped_lock lock{mutex_};
  return check_.found().kept();
}

std::map<std::string, std::uint64_t> journal_watch::counts() const {
  const std::scoped_lock lock{mutex_};
  return check_.found().counts();
}

journal_figures journal_watch::figures() const {
  const std::scoped_lock lock{mutex_};
  return check_.figures();
}

std::string journal_watch::broken() const {
  const std::scoped_lock lock{mutex_};
  return broken_;
}

} // namespace sliceferry::storm
