#include "k8s/http_client.hpp"

#include "k8s/call_pool.hpp"
#include "k8s/client_identity.hpp"
#include "k8s/request_text.hpp"
#include "k8s/streaming_get.hpp"

#include <algorithm>
#include <vector>

namespace sliceferry::k8s {

namespace {

/// The client on the loop. What waits in the loop's queue shares it, hence it doesn't own the loop.
class client_core {
public:
  client_core(loop_core& loop, cluster_access access, http_options options)
    : loop_{loop}, options_{std::move(options)}, identity_{std::move(access), options_.user_agent} {}

  void begin() {
    pool_.emplace(loop_, identity_, options_);
    upkeep_.emplace(loop_.context, [this] { look_after(); });
    upkeep_->set(options_.upkeep);
  }

  std::string name_of_get(std::string target) const {
    return name_of({http_method::get, std::move(target), {}, {}}, identity_.url());
  }

  /// Whether `call` would not answer at once, which a caller on the loop doesn't expect.
  bool is_up() const { return !stopped_ && identity_.lasting_fault() == nullptr; }

  void call(http_request request, std::function<void(result<http_response>)> done) {
    if (is_up())
      pool_->start({std::move(request), std::move(done), {}});
    else if (!gone_)
      done(why_down());
  }

  void open(const std::shared_ptr<streaming_get>& stream) {
    std::erase_if(streams_, [](const auto& one) { return one.expired(); });
    streams_.push_back(stream);
    if (is_up())
      stream->start(identity_, options_);
    else
      stream->break_off(why_down());
  }

  /// A callback may destroy the client, hence the pool comes last.
  void stop() {
    if (std::exchange(stopped_, true))
      return;
    upkeep_.reset();
    for_each_stream([this](streaming_get& one) { one.break_off(why_down()); });
    pool_->stop();
  }

  void vanish() {
    stopped_ = gone_ = true;
    upkeep_.reset();
    pool_.reset();
    for_each_stream([](streaming_get& one) { one.silence(); });
  }

private:
  void look_after() {
    upkeep_->set(options_.upkeep);
    identity_.renew();
    pool_->tidy();
    for_each_stream([this](streaming_get& one) {
      if (one.generation() != identity_.generation())
        one.outdate();
    });
  }

  failure why_down() const {
    if (const auto* fault = identity_.lasting_fault())
      return *fault;
    return {errc::unavailable, identity_.url().text() + ": the client was stopped", {}, 0};
  }

  template <class Work>
  void for_each_stream(Work work) {
    for (const auto& one : streams_)
      if (const auto stream = one.lock())
        work(*stream);
  }

  loop_core& loop_;
  const http_options options_;
  client_identity identity_;
  std::optional<deadline> upkeep_;
  std::optional<call_pool> pool_;
  std::vector<std::weak_ptr<streaming_get>> streams_;
  bool stopped_ = false;
  bool gone_ = false; ///< the client is destroyed: nobody is to be called
};

} // namespace

struct http_client::impl {
  std::shared_ptr<loop_core> loop; ///< first: what the core holds lives in it
  std::shared_ptr<client_core> core;
};

http_client::http_client(io_loop& loop, cluster_access access, http_options options) : impl_{std::make_shared<impl>()} {
  impl_->loop = loop.native().core;
  impl_->core = std::make_shared<client_core>(*impl_->loop, std::move(access), std::move(options));
  impl_->core->begin();
}

http_client::~http_client() {
  impl_->loop->run_and_wait([this] { impl_->core->vanish(); });
}

void http_client::call(http_request request, std::function<void(result<http_response>)> done) {
  const auto core = impl_->core;
  if (impl_->loop->on_loop() && core->is_up())
    return core->call(std::move(request), std::move(done));
  impl_->loop->post([core, request = std::move(request), done = std::move(done)]() mutable {
    core->call(std::move(request), std::move(done));
  });
}

std::shared_ptr<http_stream> http_client::open(std::string target, std::chrono::milliseconds idle,
                                               stream_handlers handlers) {
  auto stream = std::make_shared<streaming_get>(impl_->loop, std::move(target), idle, std::move(handlers));
  impl_->core->open(stream);
  return stream;
}

std::string http_client::name_of_get(std::string target) const {
  return impl_->core->name_of_get(std::move(target));
}

void http_client::stop() {
  impl_->loop->post([core = impl_->core] { core->stop(); });
}

} // namespace sliceferry::k8s
