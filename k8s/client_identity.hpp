#pragma once
#include "k8s/credentials.hpp"
#include "k8s/http_client.hpp"
#include "k8s/server_url.hpp"
#include "k8s/tls_context.hpp"
#include "k8s/token_source.hpp"

#include <functional>
#include <memory>
#include <string>

namespace sliceferry::k8s {

/// Who we are to one server at this moment: the lines of every request, and TLS as the files are now.
/// On the loop's thread only; small files are read there.
class client_identity {
public:
  client_identity(cluster_access access, std::string user_agent);

  /// Why no request can ever be sent; null if nothing stands against it.
  const failure* lasting_fault() const { return fault_ ? &*fault_ : nullptr; }

  /// Never changes, so any thread may ask.
  const server_url& url() const { return url_; }

  /// Host, credentials and extra headers, each line ended; valid until the next call.
  /// Fails while a token file has never been readable.
  result<const std::string*> lines();

  /// For a new connection; null for plain HTTP. Reads the files.
  result<std::shared_ptr<tls_context>> tls();

  /// The server said 401: tokens and certificates are read again.
  void rejected();

  /// Looks whether certificate files changed; so does everything that reads them.
  void renew();

  /// Counts the certificates used so far. A connection of an older one has an identity that may
  /// have expired; the API server asks only when it begins (k8s#70958).
  unsigned generation() const { return generation_; }

private:
  using clock = std::chrono::steady_clock;

  std::string user_agent_;
  std::map<std::string, std::string> extra_;
  std::optional<failure> fault_;
  server_url url_;
  token_source token_;
  std::optional<tls_source> tls_;
  clock::time_point renewed_{};
  unsigned generation_ = 0;
  std::string token_used_;
  std::string lines_;
};

} // namespace sliceferry::k8s
