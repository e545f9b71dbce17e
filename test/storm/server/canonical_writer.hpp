#pragma once
#include "test/storm/server/field_error.hpp"
#include "test/storm/server/schema.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// How a kind's values are read.
enum class strictness {
  decoded, ///< built-in: a wrong type can't be decoded at all
  checked, ///< custom: each fault is a cause of a 422
};

/// Writes values in canonical form: only what the schema names, in its order, with its defaults. Nulls count as absent.
/// What is wrong is added to the errors; the text is then of no use.
class canonical_writer {
public:
  canonical_writer(std::string& out, field_errors& errors, strictness how) : out_(out), errors_(errors), how_(how) {}

  /// Writes the member's value, its default or null; false where nothing is written.
  bool write(const schema_property& member, const boost::json::value* value);

private:
  struct step {
    std::string_view name; ///< empty: an index
    std::size_t index;
  };

  /// Deeper steps are followed, but paths in errors leave them out.
  static constexpr std::size_t depth_max = 48;

  void enter(step next);
  void leave() { --depth_; }

  void value(const schema_node& is, const boost::json::value& from);
  void object(const schema_node& is, const boost::json::value& from);
  void map(const schema_node& is, const boost::json::value& from);
  void array(const schema_node& is, const boost::json::value& from);
  void string(const schema_node& is, const boost::json::value& from);
  void integer(const schema_node& is, const boost::json::value& from);
  void check_keys(const schema_node& is, const boost::json::value& from);
  void check_required(const schema_node& is, const boost::json::value& from);
  void mistyped(const boost::json::value& found, std::string_view wanted);

  std::string path() const;
  /// As the schema's validation names it: in a status without its first part.
  std::string body_path() const;

  std::string& out_;
  field_errors& errors_;
  strictness how_;
  std::array<step, depth_max> steps_{};
  std::size_t depth_ = 0;
};

} // namespace sliceferry::storm
