#include "actors/core/write_troubles.hpp"

#include <algorithm>

namespace sliceferry::core {

namespace {

bool holds(const std::vector<std::string>& members, const std::string& member) {
  return std::find(members.begin(), members.end(), member) != members.end();
}

} // namespace

std::optional<write_troubles::change> write_troubles::failed(const work& asked, const std::string& hub_nspace,
                                                             const failure& why, const queue_state& queue) {
  const std::string command(name_of(asked.what));
  std::string subject;
  trouble found{kind::server, asked.member, command};
  if (why.code == errc::forbidden) {
    found.what = kind::right;
    subject = "right to " + command + " for " + asked.member + " on " + server_;
  } else if (!is_member_write(asked.what) && holds(queue.namespaces_open, asked.member)) {
    found.what = kind::hub_namespace;
    subject = "hub namespace " + hub_nspace;
  } else if (queue.server_open) {
    subject = "writes to " + server_;
  } else {
    return std::nullopt;
  }
  standing_.insert_or_assign(subject, std::move(found));
  return change{subject, why.text};
}

std::vector<write_troubles::change> write_troubles::succeeded(const work& asked) {
  std::vector<change> out;
  std::erase_if(standing_, [&](const auto& each) {
    const auto& [subject, held] = each;
    const bool wrong = held.what == kind::right && held.member == asked.member && held.command == name_of(asked.what);
    if (wrong)
      out.push_back({subject, std::nullopt});
    return wrong;
  });
  return out;
}

std::vector<write_troubles::change> write_troubles::review(const queue_state& queue) {
  std::vector<change> out;
  std::erase_if(standing_, [&](const auto& each) {
    if (stands(each.second, queue))
      return false;
    out.push_back({each.first, std::nullopt});
    return true;
  });
  return out;
}

bool write_troubles::stands(const trouble& held, const queue_state& queue) const {
  switch (held.what) {
    case kind::server:
      return queue.server_open && !queue.idle;
    case kind::hub_namespace:
      return holds(queue.namespaces_open, held.member) && !queue.idle;
    case kind::right:
      return queue.has_parked || !queue.idle;
  }
  return false;
}

} // namespace sliceferry::core
