#pragma once
#include "messages/failure.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::k8s {

/// A metav1.Status: why a server didn't do what it was asked.
struct api_status {
  struct detail {
    std::string reason;
    std::string field;
  };
  unsigned code = 0;
  std::string reason;
  std::string message;
  std::string kind; ///< details.kind: of what the message speaks
  std::vector<detail> causes;
  std::optional<std::chrono::seconds> retry_after;
};

/// Nothing where the body is none, e.g. a proxy's page.
std::optional<api_status> decode_status(std::string_view body);

/// What was asked for; the same status asks for different reactions.
enum class call_kind { create, patch, del, read_object, read_collection };

/// Names the reaction that an answer other than success asks for.
///
/// `retry_after` is the header; the Status' own hint counts where there is none (WR23). An answer
/// without a Status is judged by its number alone (HT28), except that a bare 404 never proves an
/// object missing: unknown groups and proxies answer so (WR08).
failure failure_of(unsigned status, const std::optional<api_status>& said,
                   std::optional<std::chrono::seconds> retry_after, call_kind what);
failure failure_of(unsigned status, std::string_view body, std::optional<std::chrono::seconds> retry_after,
                   call_kind what);

} // namespace sliceferry::k8s
