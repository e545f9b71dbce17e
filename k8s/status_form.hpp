#pragma once
#include "k8s/decode.hpp"
#include "k8s/fields.hpp"
#include "k8s/status.hpp"

namespace sliceferry::k8s {

/// How a metav1.Status becomes an `api_status`.
class status_form {
public:
  using value = api_status;

private:
  static constexpr field cause_[] = {{"reason", place::cause_reason}, {"field", place::cause_field}};
  static constexpr field cause_element_[] = {{"", place::cause, shape::object, cause_}};
  static constexpr field details_[] = {
    {"kind", place::details_kind},
    {"causes", place::any, shape::array, cause_element_},
    {"retryAfterSeconds", place::details_retry_after, shape::integer},
  };
  static constexpr field root_[] = {
    {"kind", place::ref_kind},
    {"code", place::status_code, shape::integer},
    {"reason", place::status_reason},
    {"message", place::status_message},
    {"details", place::any, shape::object, details_},
  };

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place) { object.causes.emplace_back(); }
  void leave(place) {}
  void text(place at, std::string_view text) {
    switch (at) {
      case place::ref_kind:
        is_status_ = text == "Status";
        break;
      case place::status_reason:
        object.reason = text;
        break;
      case place::status_message:
        object.message = text;
        break;
      case place::details_kind:
        object.kind = text;
        break;
      case place::cause_reason:
        object.causes.back().reason = text;
        break;
      default:
        object.causes.back().field = text;
        break;
    }
  }
  bool integer(place at, std::int64_t number) {
    if (at == place::details_retry_after)
      object.retry_after = std::chrono::seconds{number};
    else if (number < 0 || number > 999)
      return false;
    else
      object.code = static_cast<unsigned>(number);
    return true;
  }
  void flag(place, bool) {}
  const char* missing() const { return is_status_ ? nullptr : "kind Status"; }

  value object;

private:
  bool is_status_ = false;
};

/// What surrounds the items of a list. A bookmark's object has its resourceVersion in the same place.
class list_end_form {
public:
  using value = list_end;

private:
  static constexpr field metadata_[] = {
    {"resourceVersion", place::resource_version},
    {"continue", place::list_continue},
  };
  static constexpr field root_[] = {{"metadata", place::any, shape::object, metadata_}};

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place) {}
  void leave(place) {}
  void text(place at, std::string_view text) {
    (at == place::resource_version ? object.resource_version : object.continue_token) = text;
  }
  bool integer(place, std::int64_t) { return true; }
  void flag(place, bool) {}
  const char* missing() const { return object.resource_version.empty() ? "resourceVersion" : nullptr; }

  value object;
};

/// The type of a watch event, where its line doesn't begin with it.
class event_type_form {
public:
  using value = std::string;

private:
  static constexpr field root_[] = {{"type", place::event_type}};

public:
  static constexpr field root{"", place::any, shape::object, root_};

  void enter(place) {}
  void leave(place) {}
  void text(place, std::string_view text) { object = text; }
  bool integer(place, std::int64_t) { return true; }
  void flag(place, bool) {}
  const char* missing() const { return object.empty() ? "type" : nullptr; }

  value object;
};

} // namespace sliceferry::k8s
