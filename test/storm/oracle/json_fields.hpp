#pragma once
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace sliceferry::storm {

// Looking into an object of the API: what is absent, null or of another type reads as nothing.

const boost::json::value* field_of(const boost::json::object& any, std::string_view key);
const boost::json::object* object_at(const boost::json::object& any, std::string_view key);
const boost::json::array* array_at(const boost::json::object& any, std::string_view key);
std::optional<std::string_view> text_at(const boost::json::object& any, std::string_view key);
std::string_view text_or_empty(const boost::json::object& any, std::string_view key);
std::optional<std::int64_t> number_at(const boost::json::object& any, std::string_view key);

/// The whole text is a number in decimal.
std::optional<std::int64_t> decimal(std::string_view text);

} // namespace sliceferry::storm
