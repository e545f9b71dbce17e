#pragma once
#include "k8s/object_life.hpp"
#include "k8s/result.hpp"
#include "messages/object_key.hpp"
#include "messages/watch_event.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace sliceferry::k8s {

// The border between bytes and values. T is endpoint_slice, service_export or slice_export.
// All bytes are those of one complete document; whatever they hold, nothing throws or is
// half-accepted. An unknown field is skipped, `null` is absence, nesting ends at 256.

/// An object that could not be read: its key, as far as it was seen, and what is wrong with it.
struct malformed {
  object_key key;
  std::string text;

  bool operator==(const malformed&) const = default;
};

template <class T>
using item = std::variant<T, malformed>;

/// One object of a list.
template <class T>
item<T> decode_item(std::string_view json);

/// One object that stands alone, such as the answer to a GET or a write.
template <class T>
result<T> decode_object(std::string_view json);

/// One object of any kind, of which only its life matters.
result<object_life> decode_life(std::string_view json);

/// The cursor moved on without an object; also a sign of life.
struct bookmark {
  std::string resource_version;

  bool operator==(const bookmark&) const = default;
};

/// One line of a watch: an event, a bookmark, an in-stream ERROR (`malformed` when even that
/// could not be read), or an object that couldn't be read.
template <class T>
using watch_line = std::variant<watch_event<T>, bookmark, failure, malformed>;

template <class T>
watch_line<T> decode_watch_line(std::string_view line);

/// What a list says of itself. Its resourceVersion is never empty: a watch from nowhere would
/// replay everything (pitfall LW45), so such a list is malformed.
struct list_end {
  std::string resource_version;
  std::string continue_token; ///< empty on the last page

  bool operator==(const list_end&) const = default;
};

result<list_end> decode_list_end(std::string_view envelope);

} // namespace sliceferry::k8s
