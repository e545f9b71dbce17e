#include "test/storm/server/front_watch.hpp"

#include "test/storm/server/http_text.hpp"

#include <algorithm>

namespace sliceferry::storm {
namespace {

constexpr std::size_t small_pieces_max = 4 << 10; ///< as many bytes of a line come one by one
constexpr std::size_t padding_bytes = 1'500'000;

void append_bytewise(std::string& out, std::string_view line) {
  const std::size_t small = std::min(line.size(), small_pieces_max);
  for (std::size_t i = 0; i < small; ++i)
    append_chunk(out, line.substr(i, 1));
  if (small < line.size())
    append_chunk(out, line.substr(small));
}

/// The same event, whose object has one more field that no schema knows; empty when it shows no object that may be
/// shown twice.
std::string padded(const std::string& line) {
  constexpr std::string_view end = "}}\n";
  const bool is_change = line.starts_with(R"({"type":"ADDED")") || line.starts_with(R"({"type":"MODIFIED")") ||
                         line.starts_with(R"({"type":"DELETED")");
  if (!is_change || !line.ends_with(end))
    return {};
  std::string out = line.substr(0, line.size() - end.size());
  out += R"(,"padding":")";
  out.append(padding_bytes, 'x');
  return (out += '"') += end;
}

} // namespace

void front_watch::push(const shared_text& line) {
  if (mute_ || finishing_ || state_ != state::open)
    return;
  lines_.push_back(line);
  bytes_ += line->size();
}

void front_watch::mute() {
  mute_ = true;
  lines_.clear();
  bytes_ = 0;
}

void front_watch::encode_line(std::string& out, const std::string& line, line_treatment how) {
  if (how.after_blank)
    append_chunk(out, "\n");
  if (how.cut) {
    append_chunk(out, std::string_view{line}.substr(0, line.size() / 2));
    state_ = state::cut;
    return;
  }
  how.in_pieces ? append_bytewise(out, line) : append_chunk(out, line);
  if (how.repeated_hugely)
    if (const std::string again = padded(line); !again.empty())
      append_chunk(out, again);
}

front_watch::state front_watch::encode(std::string& out, std::size_t bytes) {
  while (state_ == state::open && !lines_.empty() && out.size() < bytes) {
    const shared_text line = std::move(lines_.front());
    lines_.pop_front();
    bytes_ -= line->size();
    encode_line(out, *line, rule_());
  }
  // A mute watch doesn't tell of its end either.
  if (state_ == state::open && lines_.empty() && finishing_ && !mute_) {
    append_last_chunk(out);
    state_ = state::finished;
  }
  return state_;
}

} // namespace sliceferry::storm
