#include "test/storm/server/proposal.hpp"

#include "test/storm/server/canonical_writer.hpp"

#include <algorithm>

namespace sliceferry::storm {

void proposal::set_member(const resource_kind& kind, std::size_t member, const boost::json::value* value,
                          field_errors& errors) {
  const schema_property& is = kind.members[member];
  std::string& text = texts[member];
  text.clear();
  canonical_writer writer{text, errors, kind.how_strict()};
  if (!writer.write(is, value) && std::find(kind.required.begin(), kind.required.end(), is.name) != kind.required.end())
    errors.push_back(required(is.name));
  given[member] = true;
  values[member] = value;
  draft.parts[member] = text;
}

void proposal::set_text(std::size_t member, std::string text) {
  texts[member] = std::move(text);
  draft.parts[member] = texts[member];
}

} // namespace sliceferry::storm
