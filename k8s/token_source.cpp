#include "k8s/token_source.hpp"

#include "k8s/text_file.hpp"

namespace sliceferry::k8s {

namespace {

constexpr std::chrono::minutes reread{1};
constexpr std::chrono::seconds retry{1};

std::string trimmed(const std::string& text) {
  constexpr auto blank = " \t\r\n";
  const auto from = text.find_first_not_of(blank);
  return from == std::string::npos ? std::string{} : text.substr(from, text.find_last_not_of(blank) - from + 1);
}

bool is_header_text(const std::string& token) {
  for (const char c : token)
    if (c <= ' ' || c == 0x7f)
      return false;
  return true;
}

/// Never quotes what the file holds: a broken token is still a secret.
result<std::string> read_token(const std::string& file) {
  const auto text = read_text_file(file);
  if (!text)
    return failure{errc::unavailable, "no token yet: " + text.error().text, {}, 0};
  auto token = trimmed(*text);
  if (token.empty())
    return failure{errc::unavailable, "no token yet: " + file + " is empty", {}, 0};
  if (!is_header_text(token))
    return failure{errc::unavailable, "no usable token: " + file + " holds blanks or control characters", {}, 0};
  return token;
}

} // namespace

token_source::token_source(std::string inline_token, std::string file)
  : file_{std::move(file)}, token_{trimmed(inline_token)} {
  if (token_->empty() && !file_.empty())
    token_ = failure{errc::unavailable, "no token yet: " + file_ + " was not read", {}, 0};
}

const result<std::string>& token_source::current(time now) {
  if (file_.empty() || now < read_next_)
    return token_;
  auto fresh = read_token(file_);
  read_next_ = now + (fresh ? std::chrono::seconds{reread} : retry);
  if (fresh || !token_)
    token_ = std::move(fresh);
  return token_;
}

} // namespace sliceferry::k8s
