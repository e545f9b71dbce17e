#pragma once
#include "k8s/client_identity.hpp"
#include "k8s/connection.hpp"
#include "k8s/http_client.hpp"
#include "k8s/response_reader.hpp"

#include <memory>
#include <string>

namespace sliceferry::k8s {

/// One streaming GET on a connection of its own. Owned by who asked for it; may outlive the client.
class streaming_get final : public http_stream,
                            public connection::user,
                            public std::enable_shared_from_this<streaming_get> {
public:
  streaming_get(std::shared_ptr<loop_core> loop, std::string target, std::chrono::milliseconds idle,
                stream_handlers handlers);
  ~streaming_get() override;
  streaming_get(const streaming_get&) = delete;
  streaming_get& operator=(const streaming_get&) = delete;

  void start(client_identity& identity, const http_options& options);

  void pause() override;
  void resume() override;

  /// Closes and reports the end, later on the loop, unless it has ended.
  void break_off(failure why);
  /// Reports, later on the loop, that its certificate was replaced.
  void outdate();
  /// Closes without a word.
  void silence();

  /// The client's certificate that it was opened with.
  unsigned generation() const { return generation_; }

private:
  void opened() override;
  std::size_t received(char* bytes, std::size_t size) override;
  void broken(connection::end how, std::string text) override;
  bool abandoned() const { return ended_ || weak_from_this().use_count() == 1; }
  void expect_more();
  void end(std::optional<failure> why);
  failure failed(errc code, const std::string& cause) const;

  std::shared_ptr<loop_core> loop_; ///< first: the connection's context must outlive it
  http_request request_;
  std::string name_;
  std::chrono::milliseconds idle_;
  std::chrono::milliseconds head_limit_{};
  stream_handlers handlers_;
  unsigned generation_ = 0;
  client_identity* identity_ = nullptr; ///< until the head arrived or the client is gone
  std::shared_ptr<connection> wire_;
  response_reader reader_;
  bool open_ = false;
  bool told_head_ = false;
  bool paused_ = false;
  bool ended_ = false;
};

} // namespace sliceferry::k8s
