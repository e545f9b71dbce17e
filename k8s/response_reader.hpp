#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// Takes one HTTP/1.1 answer apart, whatever pieces it arrives in. Performs no I/O; one reader
/// serves the answers of a connection one after the other. Interim answers (1xx) are passed over.
///
/// An answer is complete with its last chunk or its full length only, so that a cut is never taken
/// for an end (k8s#13331). A body without either ends with the connection; see `end_of_input`.
class response_reader {
public:
  response_reader();
  ~response_reader();

  /// Gets ready for the next answer. Without a limit its body may go on for ever.
  void begin(std::optional<std::uint64_t> body_bytes_max);

  struct progress {
    std::size_t used = 0;  ///< bytes taken; the rest must be presented again with more behind it
    std::string_view body; ///< what came of the body, in one piece; lies within the bytes given
    bool broken = false;   ///< no answer any more; see `fault`
  };

  /// Takes what arrived. Chunks of the body are moved together inside `bytes`.
  progress feed(char* bytes, std::size_t size);

  /// The peer closed in good order. True if that was the end of a body that has no other end.
  bool end_of_input();

  bool has_head() const;
  bool complete() const;
  unsigned status() const;
  bool keep_alive() const; ///< of a complete answer: the server expects another request
  std::optional<std::uint64_t> content_length() const;
  std::optional<std::chrono::seconds> retry_after() const; ///< whole seconds only, clamped to 0–60
  bool encoded() const;                                    ///< the body is compressed, although nobody asked for that
  const std::string& fault() const;                        ///< why feed() said broken

private:
  struct parser;
  std::unique_ptr<parser> parser_;
};

} // namespace sliceferry::k8s
