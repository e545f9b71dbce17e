#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::journal {

/// One JSON object on one line, field by field, in the order of the calls.
///
/// Texts are made valid UTF-8: what isn't (a message of a server, cut within a character) becomes U+FFFD.
class json_line {
public:
  json_line& add(std::string_view field, std::string_view text);
  json_line& add(std::string_view field, const char* text) { return add(field, std::string_view{text}); }
  json_line& add(std::string_view field, std::int64_t number);
  json_line& add(std::string_view field, std::uint64_t number);
  json_line& add(std::string_view field, bool truth);
  json_line& add(std::string_view field, const std::vector<std::string>& texts);

  json_line& add(std::string_view field, const std::vector<json_line>& objects);

  /// With the end of the line.
  std::string text() const { return out_ + "}\n"; }

private:
  void begin(std::string_view field);

  std::string out_ = "{";
};

/// Appends `text` as JSON spells it, with its quotes.
void append_quoted(std::string_view text, std::string& out);

} // namespace sliceferry::journal
