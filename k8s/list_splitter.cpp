#include "k8s/list_splitter.hpp"

namespace sliceferry::k8s {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view without_blanks_at_end(std::string_view text) {
  const auto last = text.find_last_not_of(blanks);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

} // namespace

std::optional<std::string_view> list_splitter::next(std::string_view& bytes) {
  if (handed_out_) {
    pending_.clear();
    handed_out_ = false;
  }
  while (!bytes.empty() && !overflowed_) {
    if (!in_items_) {
      in_items_ = read_envelope(bytes);
      continue;
    }
    if (!in_item_ && !find_item(bytes))
      continue;
    const std::size_t end = item_end(bytes);
    const std::string_view piece = bytes.substr(0, end);
    bytes.remove_prefix(piece.size());
    if (pending_.size() + piece.size() > item_bytes_max) {
      overflowed_ = true;
      pending_ = {};
      break;
    }
    if (end == std::string_view::npos) {
      pending_.append(piece);
      break;
    }
    in_item_ = false;
    if (pending_.empty())
      return piece;
    pending_.append(piece);
    handed_out_ = true;
    return pending_;
  }
  return std::nullopt;
}

/// Moves bytes to the envelope; true when the items begin.
bool list_splitter::read_envelope(std::string_view& bytes) {
  std::size_t taken = 0;
  bool items = false;
  while (taken < bytes.size() && !items) {
    const char c = bytes[taken++];
    envelope_ += c;
    step(c);
    items = c == '[' && !in_string_ && depth_ == 2 && opens_items();
  }
  bytes.remove_prefix(taken);
  overflowed_ = envelope_.size() > envelope_bytes_max;
  if (items)
    depth_ = 0; // counted within each item from here on
  return items;
}

/// Drops what lies between items; true when one begins.
bool list_splitter::find_item(std::string_view& bytes) {
  const auto begin = bytes.find_first_not_of(" \t\r\n,");
  if (begin == std::string_view::npos) {
    bytes = {};
    return false;
  }
  bytes.remove_prefix(begin);
  if (bytes.front() == ']') {
    bytes.remove_prefix(1);
    envelope_ += ']';
    in_items_ = false;
    depth_ = 1;
    return false;
  }
  if (bytes.front() == '}') { // some item had one brace too many: no telling where the others end
    is_torn_ = true;
    bytes = {};
    return false;
  }
  in_item_ = true;
  return true;
}

/// How many bytes end the current item, or npos if it goes on after them.
std::size_t list_splitter::item_end(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (in_string_ && !escaped_) // most bytes; a list is read twice, once here and once by its decoder
      while (bytes[i] != '"' && bytes[i] != '\\')
        if (++i == bytes.size())
          return std::string_view::npos;
    const char c = bytes[i];
    if (depth_ == 0 && !in_string_ && (c == ',' || c == ']'))
      return i; // ends a scalar, which no item should be; its decoder will say so
    step(c);
    if (depth_ == 0 && !in_string_ && (c == '}' || c == ']'))
      return i + 1;
  }
  return std::string_view::npos;
}

bool list_splitter::opens_items() const {
  auto text = without_blanks_at_end(std::string_view{envelope_}.substr(0, envelope_.size() - 1));
  if (!text.ends_with(':'))
    return false;
  text.remove_suffix(1);
  return without_blanks_at_end(text).ends_with("\"items\"");
}

void list_splitter::step(char c) {
  if (in_string_) {
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == '"')
      in_string_ = false;
    return;
  }
  switch (c) {
    case '"':
      in_string_ = true;
      break;
    case '{':
    case '[':
      ++depth_;
      break;
    case '}':
    case ']':
      if (depth_ > 0)
        --depth_;
      closed_ = !in_items_ && depth_ == 0;
      break;
    default:
      break;
  }
}

} // namespace sliceferry::k8s
