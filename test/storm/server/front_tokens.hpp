#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sliceferry::storm {

/// Whose token it is: `<user>-token` is each known user's.
class front_tokens {
public:
  explicit front_tokens(std::vector<std::string> users) : users_{std::move(users)} {}

  /// Empty for any other. The text lives as long as this object.
  std::string_view user_of(std::string_view token) const {
    constexpr std::string_view ending = "-token";
    if (token.ends_with(ending))
      for (const auto& user : users_)
        if (token.substr(0, token.size() - ending.size()) == user)
          return user;
    return ""; // not {}: whoever copies the text may rely on its address
  }
  const std::vector<std::string>& users() const { return users_; }

private:
  std::vector<std::string> users_;
};

} // namespace sliceferry::storm
