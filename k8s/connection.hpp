#pragma once
#include "k8s/deadline.hpp"
#include "k8s/http_client.hpp"
#include "k8s/loop_core.hpp"
#include "k8s/server_url.hpp"
#include "k8s/tls_context.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>

#include <deque>
#include <memory>
#include <optional>
#include <string>

namespace sliceferry::k8s {

/// One TCP or TLS connection: looks the name up, tries every address, shakes hands; then it always
/// reads, even between answers, so that a peer's farewell is noticed before the next request is sent.
///
/// On the loop's thread only. Its handlers keep it alive; its user is told nothing after `close`.
class connection : public std::enable_shared_from_this<connection> {
public:
  enum class end {
    not_opened, ///< nothing was ever sent
    closed,     ///< the peer closed in good order
    cut,        ///< reset, TLS cut short, any other error
    late,       ///< a deadline passed
  };

  /// Who is served. May call back into the connection or destroy itself from each of these.
  class user {
  public:
    virtual void opened() = 0;
    /// Takes bytes and returns how many; the rest comes again with more behind it.
    virtual std::size_t received(char* bytes, std::size_t size) = 0;
    /// The last call; the socket is closed. `text` says why, for people; it names the server if that was
    /// never reached.
    virtual void broken(end how, std::string text) = 0;

  protected:
    ~user() = default;
  };

  /// Where to connect; `tls` null for plain HTTP.
  struct plan {
    server_url url;
    result<std::shared_ptr<tls_context>> tls; ///< a failure fails the opening
    std::chrono::milliseconds resolve;
    std::chrono::milliseconds connect; ///< for each address
    std::chrono::milliseconds handshake;
  };

  connection(loop_core& loop, plan where, user& served);

  void open();

  /// The request to send. Write into it only while nothing is being sent.
  std::string& out() { return out_; }
  void send();
  bool sending() const { return sending_; }
  /// Whether any part of the last request may have reached the server.
  bool sent_any() const { return sending_ || sent_ > 0; }

  /// Breaks the connection as `late` unless moved or lifted in time. `what` is literal text.
  void limit(std::chrono::milliseconds from_now, const char* what);
  void lift_limit() { deadline_.clear(); }

  void pause() { paused_ = true; }
  void resume();

  void close();

private:
  using tcp = boost::asio::ip::tcp;
  using socket = boost::asio::basic_stream_socket<tcp, boost::asio::io_context::executor_type>;

  void resolved(const name_lookup::answer& found);
  void try_next_address();
  void connected();
  void shake_hands();
  void ready();
  void read();
  void take(const boost::system::error_code& failed, std::size_t count);
  void deliver();
  void passed();
  void fail(end how, std::string text);
  void fail_to_open(const char* phase, const std::string& cause);

  loop_core& loop_;
  plan plan_;
  user* user_;
  std::deque<std::string> addresses_;
  std::string last_cause_;
  socket socket_;
  std::optional<boost::asio::ssl::stream<socket&>> tls_;
  deadline deadline_;
  std::chrono::milliseconds limit_{};
  const char* limit_what_ = "";
  bool open_ = false;
  bool connecting_ = false;
  unsigned attempt_ = 0; ///< tells the outcome of a connect that was given up from that of the next
  bool paused_ = false;
  bool reading_ = false;
  bool sending_ = false;
  std::size_t sent_ = 0;
  std::string out_;
  std::unique_ptr<char[]> buffer_; ///< left uninitialised: pages that nothing is read into cost nothing
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::optional<boost::system::error_code> ended_; ///< came while paused
};

} // namespace sliceferry::k8s
