#include "test/storm/simulation/process.hpp"

#include "test/storm/simulation/clusters.hpp"
#include "test/storm/simulation/dispatcher_shell.hpp"
#include "test/storm/simulation/exporter_shell.hpp"
#include "test/storm/simulation/writer_shell.hpp"

#include <algorithm>
#include <iterator>

namespace sliceferry::storm {

process::process(process_plan plan, process_ports ports) : plan_(plan), ports_(std::move(ports)) {
  core::member_identity identity;
  identity.cluster = our_cluster;
  identity.hub_nspace = our_nspace;
  identity.imports_nspace = imports_nspace;
  identity.seed = plan_.number;
  identity_ = std::make_shared<const core::member_identity>(identity);
  dispatcher_ = std::make_unique<dispatcher_shell>(*this);
  for (const auto which : {server::member, server::hub})
    writers_[static_cast<std::size_t>(which)] = std::make_unique<writer_shell>(*this, which, plan_.limits);
}

process::~process() = default;

void process::answer(request asked, reply end) {
  if (asked.what == request::call::look)
    return deliver(call_ended{std::move(asked), std::move(end)});
  const auto to = asked.to;
  tell_writer(to, call_ended{std::move(asked), std::move(end)});
}

bool process::turn(std::uint32_t choice) {
  const bool has_mail[] = {!dispatcher_mail_.empty(), !writer_mail_[0].empty(), !writer_mail_[1].empty(),
                           std::ranges::any_of(exporters_, [](const auto& each) { return !each.second.mail.empty(); })};
  const auto busy = static_cast<std::uint32_t>(std::ranges::count(has_mail, true));
  if (busy == 0)
    return false;
  std::size_t at = 0;
  for (std::uint32_t skip = choice % busy; !has_mail[at] || skip > 0; ++at)
    skip -= has_mail[at] ? 1 : 0;
  if (at == 3)
    return turn_exporter(choice / 4);
  if (at == 0) {
    auto mail = std::move(dispatcher_mail_.front());
    dispatcher_mail_.pop_front();
    dispatcher_->take(std::move(mail));
    return true;
  }
  auto& box = writer_mail_[at - 1];
  const auto mail = std::move(box.front());
  box.pop_front();
  writers_[at - 1]->take(mail);
  return true;
}

bool process::turn_exporter(std::uint32_t choice) {
  const auto busy = static_cast<std::uint32_t>(
    std::ranges::count_if(exporters_, [](const auto& each) { return !each.second.mail.empty(); }));
  auto at = exporters_.begin();
  for (std::uint32_t skip = choice % busy; at->second.mail.empty() || skip > 0; ++at)
    skip -= at->second.mail.empty() ? 0 : 1;
  auto& [number, chosen] = *at;
  const auto seen = std::move(chosen.mail.front());
  chosen.mail.pop_front();
  if (chosen.fails) {
    ports_.note_failed(chosen.shell->slice_uid());
    tell_dispatcher(exporter_failed{chosen.shell->slice_uid()});
    exporters_.erase(at);
  } else {
    chosen.shell->absorb(seen);
  }
  return true;
}

std::optional<tick> process::due() const {
  return timers_.empty() ? std::nullopt : std::optional{timers_.begin()->first};
}

void process::ring() {
  while (!timers_.empty() && timers_.begin()->first <= now()) {
    auto [when, due] = std::move(*timers_.begin());
    timers_.erase(timers_.begin());
    if (due.writer)
      tell_writer(*due.writer, std::get<writer_mail>(std::move(due.mail)));
    else
      tell_dispatcher(std::get<dispatcher_mail>(std::move(due.mail)));
  }
}

void process::fail_exporter(std::uint32_t choice) {
  if (!exporters_.empty())
    std::next(exporters_.begin(), static_cast<std::ptrdiff_t>(choice % exporters_.size()))->second.fails = true;
}

bool process::is_idle() const {
  return dispatcher_->is_idle() && exporters_.empty() && writers_[0]->is_idle() && writers_[1]->is_idle();
}

void process::send(request asked) {
  asked.process = plan_.number;
  ports_.send(std::move(asked));
}

void process::tell_dispatcher_at(tick when, dispatcher_mail mail) {
  timers_.emplace(when, timer{std::nullopt, std::move(mail)});
}

void process::tell_writer(server which, writer_mail mail) {
  writer_mail_[static_cast<std::size_t>(which)].push_back(std::move(mail));
}

void process::tell_writer_at(tick when, server which, writer_mail mail) {
  timers_.emplace(when, timer{which, std::move(mail)});
}

std::uint64_t process::spawn_exporter(const std::string& slice_uid, core::memory held) {
  exporters_[++spawned_].shell = std::make_unique<exporter_shell>(*this, slice_uid, std::move(held));
  return spawned_;
}

void process::tell_exporter(std::uint64_t exporter, observation seen) {
  if (const auto at = exporters_.find(exporter); at != exporters_.end())
    at->second.mail.push_back(std::move(seen));
}

void process::end_exporter(std::uint64_t exporter) {
  exporters_.erase(exporter);
}

} // namespace sliceferry::storm
