#include "test/journal/journal_place.hpp"

#include "actors/core/evolve.hpp"
#include "actors/journal/journal_layout.hpp"
#include "actors/journal/lmdb_environment.hpp"
#include "actors/journal/record_codec.hpp"

#include <gtest/gtest.h>

#include <poll.h>
#include <stdlib.h>

#include <filesystem>
#include <future>

namespace sliceferry::journal {
namespace {

constexpr std::chrono::seconds suspiciously_long{60};

std::string uid_of(unsigned number) {
  std::string digits = std::to_string(number);
  digits.insert(0, 12 - digits.size(), '0');
  return "01234567-89ab-4cde-8f01-" + digits;
}

} // namespace

temporary_directory::temporary_directory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "journal-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

temporary_directory::~temporary_directory() {
  std::error_code ignored;
  if (!path_.empty())
    std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> temporary_directory::names() const {
  std::vector<std::string> out;
  for (const auto& each : std::filesystem::directory_iterator(path_))
    out.push_back(each.path().filename().string());
  return out;
}

std::string temporary_directory::name_with(const std::string& part) const {
  for (const std::string& name : names())
    if (name.find(part) != std::string::npos)
      return name;
  return {};
}

told_stream::told_stream(std::string member, unsigned number)
  : whose_{std::move(member), uid_of(number)}, slice_{"shop", "web-" + std::to_string(number)} {}

std::uint64_t told_stream::append(journal_port& to, const std::vector<event>& told) {
  const bool was_over = core::ended(held_);
  for (const event& each : told)
    held_ = core::evolve(std::move(held_), each);
  return to.append({whose_, slice_, told, held_, !std::exchange(began_, true), was_over});
}

std::uint64_t told_stream::tell(journal_port& to) {
  const std::int64_t generation = held_.generation + 1;
  return append(to, {generation_seen{generation, seconds_utc{std::chrono::seconds{1'780'000'000 + generation}}},
                     name_chosen{whose_.member + "-" + slice_.name + "-" + std::to_string(generation)}});
}

std::uint64_t told_stream::end(journal_port& to) {
  return append(to, {slice_gone{}});
}

bool wait_until(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + suspiciously_long;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    poll(nullptr, 0, 1);
  }
  return true;
}

bool wait_durable(journal_port& of, std::uint64_t position) {
  const auto reached = std::make_shared<std::promise<void>>();
  auto is_reached = reached->get_future();
  of.when_durable(position, [reached] { reached->set_value(); });
  return is_reached.wait_for(suspiciously_long) == std::future_status::ready && of.durable() >= position;
}

std::unique_ptr<journal> open_or_die(journal_options options) {
  auto opened = journal::open(std::move(options));
  if (auto* made = std::get_if<std::unique_ptr<journal>>(&opened))
    return std::move(*made);
  ADD_FAILURE() << std::get<std::string>(opened);
  std::abort();
}

recovered recover_all(journal& of) {
  const auto ended = std::make_shared<std::promise<recovered>>();
  const auto gathered = std::make_shared<recovered>();
  auto end = ended->get_future();
  of.recover({[gathered](const std::string& member, std::vector<recovered_stream> streams) {
                for (auto& each : streams)
                  gathered->streams[{member, each.slice_uid}] = std::move(each.held);
              },
              [gathered, ended](const recovery_counts& counts) {
                gathered->counts = counts;
                ended->set_value(std::move(*gathered));
              }});
  if (end.wait_for(suspiciously_long) != std::future_status::ready) {
    ADD_FAILURE() << "the recovery doesn't end";
    return {};
  }
  return end.get();
}

std::vector<journal_record> read_log(const std::string& directory) {
  std::vector<journal_record> out;
  lmdb::environment file;
  lmdb::transaction in;
  lmdb::database log = 0;
  lmdb::cursor at;
  if (file.open(layout::journal_file(directory), {.read_only = true, .locks = false}) ||
      in.begin(file, lmdb::transaction::kind::read) || in.open(layout::log, log) || at.open(in, log)) {
    ADD_FAILURE() << "no journal to read";
    return out;
  }
  for (bool more = at.first(); more; more = at.next()) {
    const auto position = layout::position_of(at.key()).value_or(0);
    auto record = decode_record(position, at.value());
    EXPECT_TRUE(record) << position;
    if (record)
      out.push_back(std::move(*record));
  }
  return out;
}

memories fold_all(const std::vector<journal_record>& log) {
  memories out;
  for (const journal_record& each : log)
    if (!each.whose.slice_uid.empty())
      out[each.whose] = fold(out[each.whose], each);
  std::erase_if(out, [](const auto& each) { return core::ended(each.second); });
  return out;
}

} // namespace sliceferry::journal
