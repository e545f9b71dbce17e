#pragma once
#include "test/storm/server/cluster.hpp"
#include "test/storm/server/front_host.hpp"
#include "test/storm/server/front_watch.hpp"
#include "test/storm/server/http_parser.hpp"
#include "test/storm/server/http_tls.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// One peer's bytes: requests in, answers out in their order, of which at most one is a stream at a time.
///
/// All requests that one read brought are answered by one write. It reads no further while an answer is held back or
/// can't be written. It lives while an operation of it is pending or its host keeps it.
class front_connection : public std::enable_shared_from_this<front_connection> {
public:
  struct delivery {
    std::chrono::microseconds delay{};
    bool in_pieces = false; ///< of 1 to 7 bytes, for the first few thousand bytes
    bool zipped = false;
  };
  enum class ending { politely, by_reset };

  front_connection(boost::asio::ip::tcp::socket socket, front_host& host, const http_tls* tls, std::uint64_t number);

  void start();
  void answer(const api_answer& what, const delivery& how);
  void stream(std::unique_ptr<front_watch> watch, std::chrono::microseconds delay);
  /// Writes what the watch has got meanwhile.
  void pump();
  /// Neither reads nor writes from now on, but stays open until closed.
  void freeze();
  /// After a last attempt to write what waits.
  void close(ending how);

  std::uint64_t number() const { return number_; }
  front_watch* watch() { return watch_.get(); }
  bool is_frozen() const { return frozen_; }
  bool is_closed() const { return closed_; }

  std::string_view user;            ///< of its latest request; set by the host
  bool is_waiting_for_pump = false; ///< for the host

private:
  bool is_halted() const;
  void read_on();
  void received(std::size_t bytes);
  void keep(std::string_view bytes);
  void make_room();
  void process();
  void answer_requests();
  void refuse(unsigned status);
  void hold(std::chrono::microseconds delay);
  std::string& unsent();
  void flush();
  bool send_some();
  void resume_writing();
  void settle();
  void drop(ending how);

  boost::asio::ip::tcp::socket socket_;
  boost::asio::steady_timer held_until_;
  front_host& host_;
  std::uint64_t number_;
  http_parser parser_;
  std::vector<char> in_;
  std::size_t in_begin_ = 0;
  std::size_t in_end_ = 0;
  std::string out_;
  std::size_t sent_ = 0;   ///< of `unsent()`
  std::size_t pieces_ = 0; ///< bytes that must still go in small pieces
  std::unique_ptr<front_watch> watch_;
  std::unique_ptr<http_tls::session> tls_;
  std::vector<char> wire_in_; ///< with TLS: as it came
  std::string wire_out_;      ///< with TLS: as it goes
  bool reading_ = false;
  bool blocked_ = false; ///< a write waits for the socket, or for its next piece
  bool held_ = false;
  bool frozen_ = false;
  bool last_ = false;    ///< after what is to be written, nothing more
  bool parting_ = false; ///< that was written, the peer hasn't closed yet
  bool closed_ = false;
};

} // namespace sliceferry::storm
