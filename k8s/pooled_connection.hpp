#pragma once
#include "k8s/client_identity.hpp"
#include "k8s/connection.hpp"
#include "k8s/http_client.hpp"
#include "k8s/response_reader.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

namespace sliceferry::k8s {

class call_pool;

/// A call on its way and whom to tell.
struct pending_call {
  http_request request;
  std::function<void(result<http_response>)> done;
  std::chrono::steady_clock::time_point since; ///< when it began to wait for a connection
};

/// A keep-alive connection of the pool: one call at a time, judged by what may have reached the server.
class pooled_connection final : public connection::user {
public:
  pooled_connection(call_pool& pool, loop_core& loop, client_identity& identity, const http_options& options);
  ~pooled_connection();
  pooled_connection(const pooled_connection&) = delete;
  pooled_connection& operator=(const pooled_connection&) = delete;

  /// Connects; with a `first` call that one is sent as soon as the connection stands.
  void open(std::optional<pending_call> first);

  /// Sends a call over the idle connection; `lines` are the identity's.
  void begin(pending_call call, const std::string& lines);

  /// Gives back the call it is busy with, or is to begin with.
  std::optional<pending_call> take_call() { return std::exchange(call_, std::nullopt); }

  /// What it means for `call` if no complete answer came, and `cause` is why.
  failure judge(const http_request& request, const std::string& cause) const;

  bool is_open() const { return open_; }
  /// The client's certificate that it was opened with.
  unsigned generation() const { return generation_; }

  std::chrono::steady_clock::time_point idle_since{};

private:
  void opened() override;
  std::size_t received(char* bytes, std::size_t size) override;
  void broken(connection::end how, std::string text) override;
  void finish(bool reusable);

  call_pool& pool_;
  client_identity& identity_;
  const http_options& options_;
  unsigned generation_;
  std::shared_ptr<connection> wire_;
  response_reader reader_;
  std::optional<pending_call> call_;
  std::string body_;
  bool open_ = false;
  bool reused_ = false;    ///< an answer came over it before
  bool answering_ = false; ///< some byte of the answer came
};

} // namespace sliceferry::k8s
