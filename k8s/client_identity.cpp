#include "k8s/client_identity.hpp"

#include "k8s/access_check.hpp"

namespace sliceferry::k8s {

client_identity::client_identity(cluster_access access, std::string user_agent)
  : user_agent_{std::move(user_agent)}, extra_{access.headers}, token_{access.token, access.token_file} {
  if (const auto faults = find_lasting_faults(access); !faults.empty()) {
    fault_ = failure{errc::unavailable, faults.front(), {}, 0};
    return;
  }
  url_ = *read_server_url(access.server);
  if (url_.tls)
    tls_.emplace(std::move(access), url_.host);
}

result<const std::string*> client_identity::lines() {
  const auto& token = token_.current(clock::now());
  if (!token)
    return token.error();
  if (!lines_.empty() && *token == token_used_)
    return &lines_;
  token_used_ = *token;
  lines_ = "Host: " + url_.authority + "\r\nUser-Agent: " + user_agent_ + "\r\nAccept: application/json\r\n";
  if (!token->empty())
    lines_ += "Authorization: Bearer " + *token + "\r\n";
  for (const auto& [name, value] : extra_)
    lines_ += name + ": " + value + "\r\n";
  return &lines_;
}

result<std::shared_ptr<tls_context>> client_identity::tls() {
  if (!tls_)
    return std::shared_ptr<tls_context>{};
  renew();
  return tls_->current();
}

void client_identity::rejected() {
  token_.rejected();
  // Many calls may be rejected at once; reading once a second is soon enough.
  if (clock::now() - renewed_ > std::chrono::seconds{1})
    renew();
}

void client_identity::renew() {
  renewed_ = clock::now();
  if (tls_ && tls_->renew())
    ++generation_;
}

} // namespace sliceferry::k8s
