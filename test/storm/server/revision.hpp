#pragma once
#include "test/storm/server/cluster.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Where a part of an object's text is; empty where there is no such part.
struct text_span {
  std::uint32_t at = 0;
  std::uint32_t size = 0;
};

/// How many members a kind has beside apiVersion, kind and metadata; `spec`, `status` … at most.
constexpr std::size_t members_max = 3;

/// One state of an object: its JSON as the kind's stored version is served, and where its parts lie in it.
///
/// The text is canonical: equal parts have equal texts. Never changed once made, so that answers, events and the
/// history share it.
struct revision {
  std::string text;
  std::uint64_t version = 0;                  ///< resourceVersion
  text_span version_digits;                   ///< of the resourceVersion, without quotes
  text_span meta;                             ///< metadata's value
  text_span label_part;                       ///< labels' value
  std::array<text_span, members_max> members; ///< values, in the order of the kind's members
  bool terminating = false;                   ///< has a deletionTimestamp

  std::string_view part(text_span where) const { return std::string_view{text}.substr(where.at, where.size); }
  std::string_view labels() const { return part(label_part); }
};

using shared_revision = std::shared_ptr<const revision>;

inline shared_text text_of(const shared_revision& what) {
  return {what, &what->text};
}

/// What etcd takes in one request. It measures what it stores, which of built-in kinds is somewhat less than their
/// JSON.
inline constexpr std::size_t object_bytes_max = 1536 * 1024;
inline bool is_too_large(const revision& what) {
  return what.text.size() > object_bytes_max;
}

/// The same object with another resourceVersion, as a DELETED event carries it.
shared_revision with_version(const revision& what, std::uint64_t version);

} // namespace sliceferry::storm
