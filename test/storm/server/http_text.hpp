#pragma once
#include "test/storm/server/cluster.hpp"

#include <string>
#include <string_view>

namespace sliceferry::storm {

/// Appends a whole answer with Content-Length.
void append_answer(std::string& out, const api_answer& answer, bool keep_alive, bool zipped = false);

/// Appends the head of an answer whose body is chunks.
void append_stream_head(std::string& out, std::string_view content_type);
void append_chunk(std::string& out, std::string_view data);
void append_last_chunk(std::string& out);

/// The `Status` object with which an API server refuses a request.
api_answer refusal_status(unsigned code, std::string_view message);
/// What a balancer in front of it answers: 502 when it can't reach it, 404 when it doesn't know where to send it.
api_answer balancer_page(unsigned status);

std::string gzipped(std::string_view text);

} // namespace sliceferry::storm
