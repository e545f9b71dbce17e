#include "test/storm/server/revision.hpp"

namespace sliceferry::storm {

shared_revision with_version(const revision& what, std::uint64_t version) {
  const std::string digits = std::to_string(version);
  auto out = std::make_shared<revision>(what);
  out->text.replace(what.version_digits.at, what.version_digits.size, digits);
  out->version = version;
  out->version_digits.size = static_cast<std::uint32_t>(digits.size());
  // Unsigned arithmetic wraps both ways, so a shorter number moves the rest back.
  const std::uint32_t shift = out->version_digits.size - what.version_digits.size;
  const auto move = [&](text_span& part) {
    if (part.at > what.version_digits.at)
      part.at += shift;
  };
  out->meta.size += shift;
  move(out->label_part);
  for (auto& member : out->members)
    move(member);
  return out;
}

} // namespace sliceferry::storm
