#include "actors/journal/memory_difference.hpp"

#include "messages/rfc3339.hpp"

#include <concepts>
#include <string_view>

namespace sliceferry::journal {
namespace {

std::string word(const std::string& text) {
  return text.empty() ? "nothing" : text;
}
std::string word(seconds_utc time) {
  return format_rfc3339(time);
}
std::string word(bool is) {
  return is ? "yes" : "no";
}
template <std::integral Number>
std::string word(Number number) {
  return std::to_string(number);
}
std::string word(const std::vector<std::string>& all) {
  std::string out = "[";
  for (const auto& each : all)
    out += (out.size() > 1 ? " " : "") + each;
  return out + ']';
}
std::string word(const std::vector<core::withdrawal>& all) {
  std::string out = "[";
  for (const auto& each : all)
    out += (out.size() > 1 ? ", " : "") + each.name + ' ' + each.hub_uid + ' ' + std::string{to_string(each.why)} +
           (each.done ? " done" : "");
  return out + ']';
}

class comparison {
public:
  template <class T>
  comparison& on(std::string_view field, const T& is, const T& should_be) {
    if (!(is == should_be))
      found_.push_back(std::string{field} + ": " + word(is) + ", not " + word(should_be));
    return *this;
  }
  std::vector<std::string> found() { return std::move(found_); }

private:
  std::vector<std::string> found_;
};

} // namespace

std::vector<std::string> differences(const core::memory& is, const core::memory& should_be) {
  comparison out;
  out.on("name", is.name, should_be.name).on("generation", is.generation, should_be.generation);
  out.on("since", is.since, should_be.since).on("hub_uids", is.hub_uids, should_be.hub_uids);
  out.on("digest", is.digest, should_be.digest).on("accepted", is.accepted, should_be.accepted);
  out.on("withdrawals", is.withdrawals, should_be.withdrawals);
  out.on("names_chosen", is.names_chosen, should_be.names_chosen);
  out.on("annotated_in_row", is.annotated_in_row, should_be.annotated_in_row);
  out.on("name_pending", is.name_pending, should_be.name_pending);
  out.on("annotate_owed", is.annotate_owed, should_be.annotate_owed);
  out.on("annotate_refused", is.annotate_refused, should_be.annotate_refused);
  out.on("apply_owed", is.apply_owed, should_be.apply_owed).on("over", is.over, should_be.over);
  auto found = out.found();
  // A field that this list doesn't know yet.
  if (found.empty() && !(is == should_be))
    found.emplace_back("something else");
  return found;
}

} // namespace sliceferry::journal
