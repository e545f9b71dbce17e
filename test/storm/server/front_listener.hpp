#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <optional>

namespace sliceferry::storm {

/// A port of the loopback that stays ours while nothing listens on it, so that a server can be down for a while:
/// peers are refused then, and nobody else gets the port.
class front_listener {
public:
  using tcp = boost::asio::ip::tcp;
  using welcome = std::function<void(tcp::socket)>;

  /// On any free port. Throws boost::system::system_error.
  front_listener(boost::asio::io_context& io, welcome each);

  std::uint16_t port() const { return port_; }
  void pause();
  void resume();
  bool is_paused() const { return !acceptor_; }

private:
  void accept();

  boost::asio::io_context& io_;
  welcome welcome_;
  tcp::acceptor guard_; ///< bound, never listening
  std::uint16_t port_ = 0;
  std::optional<tcp::acceptor> acceptor_;
  boost::asio::steady_timer again_;
};

} // namespace sliceferry::storm
