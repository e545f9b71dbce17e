#include "test/storm/server/front_listener.hpp"

#include <chrono>

namespace sliceferry::storm {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

tcp::acceptor bound(asio::io_context& io, std::uint16_t port) {
  tcp::acceptor out{io, tcp::v4()};
  out.set_option(tcp::acceptor::reuse_address{true});
  out.bind({asio::ip::address_v4::loopback(), port});
  return out;
}

} // namespace

front_listener::front_listener(asio::io_context& io, welcome each)
  : io_{io}, welcome_{std::move(each)}, guard_{bound(io, 0)}, port_{guard_.local_endpoint().port()}, again_{io} {
  resume();
}

void front_listener::pause() {
  acceptor_.reset();
  again_.cancel();
}

void front_listener::resume() {
  if (acceptor_)
    return;
  acceptor_.emplace(bound(io_, port_));
  acceptor_->listen(4096);
  accept();
}

void front_listener::accept() {
  acceptor_->async_accept([this](error_code failed, tcp::socket socket) {
    if (failed == asio::error::operation_aborted || !acceptor_)
      return;
    if (!failed) {
      welcome_(std::move(socket));
      return accept();
    }
    // Out of descriptors, most likely: trying at once would spin.
    again_.expires_after(std::chrono::milliseconds{20});
    again_.async_wait([this](error_code stopped) {
      if (!stopped && acceptor_)
        accept();
    });
  });
}

} // namespace sliceferry::storm
