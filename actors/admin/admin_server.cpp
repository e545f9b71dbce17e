#include "actors/admin/admin_server.hpp"

#include "actors/admin/page_choice.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <charconv>
#include <list>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace sliceferry {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = boost::asio::ip::tcp;
using boost::system::error_code;

using answer = http::response<http::string_body>;

/// All that the server serves; outlives the sessions.
struct site {
  const admin_site what;
  const admin_options options;
};

/// The way back to the server's thread for whoever holds it, also when there is no server any more.
class way_back {
public:
  explicit way_back(asio::io_context& context) : context_(&context) {}

  template <class Work>
  void post(Work work) {
    if (const std::lock_guard guard{lock_}; context_)
      asio::post(*context_, std::move(work));
  }
  void close() {
    const std::lock_guard guard{lock_};
    context_ = nullptr;
  }

private:
  std::mutex lock_;
  asio::io_context* context_;
};

/// The page as it goes out; an answer to HEAD keeps the length of the body that GET would have carried.
answer answer_with(admin_answer page, bool has_body) {
  answer out;
  out.set(http::field::server, "sliceferry");
  out.set(http::field::cache_control, "no-store");
  out.set("X-Content-Type-Options", "nosniff");
  out.result(page.status);
  out.set(http::field::content_type, page.content_type);
  out.content_length(page.body.size());
  if (has_body)
    out.body() = std::move(page.body);
  return out;
}

/// The status for a request that couldn't be read, or 0 when the peer is simply gone.
unsigned status_of(error_code broken) {
  if (broken == http::error::end_of_stream || broken == http::error::partial_message)
    return 0;
  if (broken == http::error::header_limit || broken == http::error::buffer_overflow)
    return 431;
  if (broken == http::error::unexpected_body || broken == http::error::body_limit)
    return 413;
  return broken.category() == http::make_error_code(http::error::bad_method).category() ? 400 : 0;
}

/// An IPv4 peer of an IPv6 listener comes as ::ffff:127.0.0.1.
bool is_loopback(const asio::ip::address& peer) {
  if (peer.is_v6() && peer.to_v6().is_v4_mapped())
    return asio::ip::make_address_v4(asio::ip::v4_mapped, peer.to_v6()).is_loopback();
  return peer.is_loopback();
}

std::optional<tcp::endpoint> parse_endpoint(std::string_view address) {
  const auto colon = address.rfind(':');
  if (colon == std::string_view::npos)
    return std::nullopt;
  std::string_view host = address.substr(0, colon);
  const std::string_view digits = address.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, bad] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (bad != std::errc{} || end != digits.data() + digits.size())
    return std::nullopt;
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != std::string_view::npos)
    return std::nullopt;
  error_code unreadable;
  const auto ip = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : std::string{host}, unreadable);
  return unreadable ? std::nullopt : std::optional{tcp::endpoint{ip, port}};
}

/// One peer: reads a request, writes its answer, and again. It lives as long as an operation of
/// it is pending.
class session : public std::enable_shared_from_this<session> {
public:
  session(tcp::socket socket, const site& serves, std::shared_ptr<way_back> back)
    : stream_(std::move(socket)), serves_(serves), back_(std::move(back)), patience_(stream_.get_executor()),
      buffer_(serves.options.header_bytes_max + 4096) {}

  /// Called at each complete request until `close`.
  std::function<void()> on_request;

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(serves_.options.header_bytes_max));
    stream_.expires_after(serves_.options.idle);
    http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](error_code failed, std::size_t) {
      failed ? self->give_up(failed) : self->reply();
    });
  }

  void close() {
    on_request = nullptr;
    ++asked_; // what is still to be answered comes too late
    patience_.cancel();
    error_code ignored;
    stream_.socket().close(ignored);
  }

private:
  void reply() {
    if (on_request) // else closed while this completion was already queued
      on_request();
    const auto& asked = parser_->get();
    const std::string_view method{asked.method_string().data(), asked.method_string().size()};
    const bool is_order = asked.find(order_header) != asked.end();
    auto chosen =
      choose_page(serves_.what, {method, {asked.target().data(), asked.target().size()}, is_local(), is_order});
    if (chosen.question)
      return put(*chosen.question, chosen.asked);
    reply(std::move(chosen.now), chosen.allow);
  }

  void reply(admin_answer page, const std::string& allow = {}) {
    const auto& asked = parser_->get();
    const bool is_head = asked.method() == http::verb::head;
    answer_ = answer_with(std::move(page), !is_head);
    if (!allow.empty())
      answer_.set(http::field::allow, allow);
    answer_.version(asked.version());
    answer_.keep_alive(asked.keep_alive());
    write(is_head);
  }

  /// Nothing is read or written until the answer comes or patience ends.
  void put(const admin_questions::mapped_type& question, const asked_path& target) {
    const auto number = ++asked_;
    stream_.expires_never();
    patience_.expires_after(serves_.options.patience);
    patience_.async_wait([self = shared_from_this(), number](error_code stopped) {
      if (!stopped)
        self->answered(number, {.status = 504, .body = "504 no answer in time: the program is busy, ask again\n"});
    });
    question(target, [back = back_, weak = weak_from_this(), number](admin_answer page) {
      back->post([weak, number, page = std::move(page)]() mutable {
        if (const auto self = weak.lock())
          self->answered(number, std::move(page));
      });
    });
  }

  void answered(std::uint64_t number, admin_answer page) {
    if (number != asked_)
      return;
    ++asked_;
    patience_.cancel();
    reply(std::move(page));
  }

  /// Who speaks to an address of this machine from this machine does so from that address.
  bool is_local() const {
    error_code gone;
    const auto peer = stream_.socket().remote_endpoint(gone).address();
    return !gone && (is_loopback(peer) || peer == stream_.socket().local_endpoint(gone).address());
  }

  void give_up(error_code failed) {
    const unsigned status = status_of(failed);
    if (status == 0)
      return close();
    answer_ = {};
    answer_.result(status);
    answer_.set(http::field::content_type, "text/plain; charset=utf-8");
    answer_.body() = std::to_string(status) + " request refused\n";
    answer_.keep_alive(false);
    answer_.prepare_payload();
    write(false);
  }

  void write(bool head_only) {
    stream_.expires_after(serves_.options.idle);
    const bool again = answer_.keep_alive();
    serializer_.emplace(answer_);
    serializer_->split(head_only);
    const auto done = [self = shared_from_this(), again](error_code failed, std::size_t) {
      if (failed)
        return self->close();
      again ? self->read() : self->part();
    };
    if (head_only)
      http::async_write_header(stream_, *serializer_, done);
    else
      http::async_write(stream_, *serializer_, done);
  }

  /// Closing with unread bytes would reset the connection, and the peer could lose our answer.
  void part() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(std::min(serves_.options.idle, std::chrono::milliseconds{1'000}));
    drain();
  }

  void drain() {
    stream_.async_read_some(asio::buffer(rubbish_), [self = shared_from_this()](error_code failed, std::size_t) {
      failed ? self->close() : self->drain();
    });
  }

  beast::tcp_stream stream_;
  const site& serves_;
  std::shared_ptr<way_back> back_;
  asio::steady_timer patience_;
  std::uint64_t asked_ = 0; ///< number of the question that is open; moves on when it is answered
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  answer answer_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  std::array<char, 1024> rubbish_{};
};

} // namespace

struct admin_server::impl {
  explicit impl(site what) : serves(std::move(what)) {}

  void accept() {
    acceptor.async_accept([this](error_code failed, tcp::socket socket) {
      if (failed == asio::error::operation_aborted)
        return;
      if (failed)
        return pause(); // out of descriptors, most likely: trying at once would spin
      welcome(std::move(socket));
      accept();
    });
  }

  void pause() {
    retry.expires_after(std::chrono::milliseconds{100});
    retry.async_wait([this](error_code stopped) {
      if (!stopped)
        accept();
    });
  }

  void welcome(tcp::socket socket) {
    peers.remove_if([](const std::weak_ptr<session>& peer) { return peer.expired(); });
    while (peers.size() >= serves.options.connections_max) {
      if (const auto silent = peers.front().lock())
        silent->close();
      peers.pop_front();
    }
    const auto peer = std::make_shared<session>(std::move(socket), serves, back);
    const auto place = peers.insert(peers.end(), peer);
    peer->on_request = [this, place] { peers.splice(peers.end(), peers, place); };
    peer->read();
  }

  std::optional<std::string> open(const tcp::endpoint& where) {
    error_code failed;
    acceptor.open(where.protocol(), failed);
    if (!failed)
      acceptor.set_option(tcp::acceptor::reuse_address{true}, failed);
    if (!failed)
      acceptor.bind(where, failed);
    if (!failed)
      acceptor.listen(asio::socket_base::max_listen_connections, failed);
    if (failed) {
      auto why = failed.message(); // not empty, and begins with a capital letter
      why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
      return why;
    }
    port = acceptor.local_endpoint().port();
    return std::nullopt;
  }

  const site serves;
  /// Open connections, the one silent for longest first. Declared before the context, whose
  /// destruction drops the sessions.
  std::list<std::weak_ptr<session>> peers;
  asio::io_context context{1};
  std::shared_ptr<way_back> back = std::make_shared<way_back>(context);
  tcp::acceptor acceptor{context};
  asio::steady_timer retry{context};
  std::uint16_t port = 0;
  std::thread thread;
};

admin_server::admin_server(admin_routes routes, admin_options options, admin_orders orders)
  : admin_server(admin_site{std::move(routes), std::move(orders), {}}, options) {}

admin_server::admin_server(admin_site what, admin_options options)
  : impl_(std::make_unique<impl>(site{std::move(what), options})) {}

admin_server::~admin_server() {
  stop();
}

std::optional<std::string> admin_server::listen(const std::string& address) {
  const auto where = parse_endpoint(address);
  if (!where)
    return "listen on " + address + ": not an address and a port such as 127.0.0.1:8080";
  if (const auto failed = impl_->open(*where))
    return "listen on " + address + ": " + *failed;
  impl_->accept();
  impl_->thread = std::thread{[this] { impl_->context.run(); }};
  return std::nullopt;
}

std::uint16_t admin_server::port() const {
  return impl_->port;
}

void admin_server::stop() {
  impl_->back->close();
  if (!impl_->thread.joinable())
    return;
  impl_->context.stop();
  impl_->thread.join();
}

} // namespace sliceferry
