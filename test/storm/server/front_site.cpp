#include "test/storm/server/front_site.hpp"

#include "test/storm/server/http_text.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>

namespace sliceferry::storm {
namespace {

front_connection::delivery delivery_of(const treatment& how) {
  return {.delay = how.delay, .in_pieces = how.in_pieces, .zipped = how.zipped};
}

api_answer refusal_of(const treatment& how) {
  if (how.fault == name_of(server_fault::html_errors))
    return balancer_page(how.status);
  if (how.fault == name_of(server_fault::quota))
    return refusal_status(how.status, "simulated object is forbidden: exceeded quota: storm, requested: count=1, "
                                      "used: count=7, limited: count=7");
  if (how.fault == name_of(server_fault::denied_writes))
    return refusal_status(how.status, "admission webhook \\\"storm.example.com\\\" denied the request: frozen");
  return refusal_status(how.status, std::string{"simulated fault: "}.append(how.fault));
}

} // namespace

front_site::front_site(boost::asio::io_context& io, front_site_options options, serve_history& history)
  : io_{io}, options_{std::move(options)}, history_{history}, injector_{options_.faulty_users},
    state_{options_.cluster, [this](history_entry entry) { record(std::move(entry)); }}, listener_{
                                                                                           io, [this](auto socket) {
                                                                                             welcome(std::move(socket));
                                                                                           }} {
  mark("started");
}

front_site::~front_site() {
  close_where([](front_connection&) { return true; });
}

void front_site::record(history_entry entry) {
  // What the request caused in others' name isn't what the fault met.
  if (!met_.empty() && entry.fault.empty() && entry.user == met_user_ && entry.verb != "mark")
    entry.fault = met_;
  history_.push(std::move(entry));
}

void front_site::mark(std::string_view what, std::string_view fault) {
  history_entry entry;
  entry.at = now();
  entry.cluster = name();
  entry.verb = "mark";
  entry.mark = what;
  entry.fault = fault;
  history_.push(std::move(entry));
}

void front_site::welcome(front_listener::tcp::socket socket) {
  auto made = std::make_shared<front_connection>(std::move(socket), *this, options_.tls, ++numbers_);
  peers_.emplace(numbers_, made);
  made->start();
}

void front_site::gone(front_connection& peer) {
  if (const auto* watch = peer.watch(); watch != nullptr && !watch->is_finishing())
    state_.unwatch(watch->id);
  peers_.erase(peer.number());
}

void front_site::asked(front_connection& peer, const http_request& what) {
  using way = treatment::way;
  peer.user = options_.tokens->user_of(what.token);
  const api_request asked{what.method, what.target, what.content_type, what.body, peer.user};
  const bool is_watch = cluster::is_watch(asked);
  treatment how;
  if (!injector_.idle())
    how = injector_.treat({asked.method, asked.user, is_watch});
  if (how.what != way::handle && how.what != way::lose_answer) {
    counts_.count(peer.user, verb_of(asked, is_watch), how.status);
    state_.note_fault(asked, how.status, how.fault, now());
    if (how.what == way::silence)
      return peer.freeze();
    if (how.what == way::reset)
      return peer.close(front_connection::ending::by_reset);
    return peer.answer(refusal_of(how), delivery_of(how));
  }
  met_ = how.fault;
  met_user_ = asked.user;
  if (is_watch) {
    open_watch(peer, asked, how);
    met_ = {};
    return;
  }
  const api_answer answer = state_.handle(asked, now());
  met_ = {};
  counts_.count(peer.user, verb_of(asked, false), answer.status);
  if (how.what == way::lose_answer)
    return peer.close(front_connection::ending::by_reset);
  peer.answer(answer, delivery_of(how));
}

void front_site::open_watch(front_connection& asker, const api_request& asked, const treatment& how) {
  const bool faulty = injector_.is_faulty(asked.user);
  auto made =
    std::make_unique<front_watch>([this, faulty] { return faulty ? injector_.treat_line() : line_treatment{}; });
  auto* watch = made.get();
  if (how.mute)
    watch->mute();
  // Both are gone only after `unwatch`, or after the end.
  cluster::watcher sinks{[this, watch, &asker](const shared_text& line) {
                           watch->push(line);
                           plan_pump(asker);
                         },
                         [this, watch, &asker] {
                           watch->finish();
                           plan_pump(asker);
                         }};
  const auto opened = state_.watch(asked, now(), std::move(sinks));
  const auto* refused = std::get_if<api_answer>(&opened);
  counts_.count(asked.user, "watch", refused != nullptr ? refused->status : 200);
  if (refused != nullptr)
    return asker.answer(*refused, delivery_of(how));
  watch->id = std::get<std::uint64_t>(opened);
  asker.stream(std::move(made), how.delay);
  if (asker.is_closed())
    return;
  state_.begin(watch->id);
  watch->begun();
}

void front_site::plan_pump(front_connection& asker) {
  if (asker.is_waiting_for_pump)
    return;
  asker.is_waiting_for_pump = true;
  waiting_.push_back(asker.shared_from_this());
  // Behind what else is ready: each stream then sends the lines of many writes at once.
  if (waiting_.size() == 1)
    boost::asio::post(io_, [this] { pump_waiting(); });
}

void front_site::pump_waiting() {
  const auto all = std::exchange(waiting_, {});
  for (const auto& each : all) {
    each->is_waiting_for_pump = false;
    if (each->is_closed())
      continue;
    each->pump();
    if (each->watch() != nullptr && each->watch()->overflown())
      each->close(front_connection::ending::politely);
  }
}

std::size_t front_site::watches() const {
  return static_cast<std::size_t>(
    std::count_if(peers_.begin(), peers_.end(), [](const auto& each) { return each.second->watch() != nullptr; }));
}

} // namespace sliceferry::storm
