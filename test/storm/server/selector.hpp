#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

struct revision;

/// What a list or watch keeps of a collection: conditions on labels, and the fields name and namespace.
class selector {
public:
  /// An empty problem means success; otherwise the server's words.
  std::string read_labels(std::string_view text);
  /// `custom`: custom resources say it otherwise when a field isn't known.
  std::string read_fields(std::string_view text, bool custom);

  bool matches(std::string_view nspace, std::string_view name, const revision& object) const;
  bool is_empty() const { return conditions_.empty() && fields_.empty(); }

private:
  struct condition {
    std::string key;
    bool must_exist = true; ///< `false`: absence is a match, too
    std::vector<std::string> values;
    bool negated = false; ///< none of the values; or, without values, must not exist
  };
  struct field {
    bool of_namespace;
    bool negated;
    std::string value;
  };

  std::string read_condition(std::string_view text);
  static std::optional<std::string> value_of(const revision& object, std::string_view key);

  std::vector<condition> conditions_;
  std::vector<field> fields_;
};

} // namespace sliceferry::storm
