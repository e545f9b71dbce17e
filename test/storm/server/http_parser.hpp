#pragma once
#include "test/storm/server/http_request.hpp"

#include <memory>
#include <string_view>

namespace sliceferry::storm {

/// Reads one request after another from the bytes of a connection, however they are split. Its buffers are kept.
class http_parser {
public:
  enum class state { needs_more, complete, broken };

  http_parser();
  ~http_parser();
  http_parser(const http_parser&) = delete;
  http_parser& operator=(const http_parser&) = delete;

  /// How many of the bytes were used; the others must be given again, with more behind them. Uses none unless
  /// `needs_more`.
  std::size_t feed(std::string_view bytes);
  state now() const { return state_; }

  /// Whole when `complete`; overwritten after `next`.
  const http_request& request() const { return request_; }
  void next();

  /// The status to refuse a broken one with; nothing after it can be read.
  unsigned refusal() const { return refusal_; }

private:
  struct beast;
  http_request request_;
  state state_ = state::needs_more;
  unsigned refusal_ = 400;
  std::unique_ptr<beast> beast_;
};

} // namespace sliceferry::storm
