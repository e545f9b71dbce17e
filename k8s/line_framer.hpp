#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sliceferry::k8s {

/// Cuts a byte stream into lines at `\n`, before anything is decoded: chunks of HTTP end anywhere,
/// also inside a character (pitfalls HT03–HT06). Blank lines vanish, a `\r` before the `\n` too.
///
/// A line that lies whole in the fed bytes is not copied. Bounded: a line longer than the cap
/// makes the framer `overflowed()`, after which it yields nothing more.
class line_framer {
public:
  static constexpr std::size_t line_bytes_max = std::size_t{16} << 20U; // etcd holds objects of about 1.5 MiB

  explicit line_framer(std::size_t bytes_max = line_bytes_max) : bytes_max_{bytes_max} {}

  /// Takes from the front of `bytes` what the next line needs. The line is valid until the next
  /// call; nothing means that `bytes` is used up.
  std::optional<std::string_view> next(std::string_view& bytes) {
    if (handed_out_) {
      pending_.clear();
      handed_out_ = false;
    }
    while (!bytes.empty() && !overflowed_) {
      const auto end = bytes.find('\n');
      const auto piece = bytes.substr(0, end);
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
      if (pending_.size() + piece.size() > bytes_max_) {
        overflowed_ = true;
        pending_ = {};
        break;
      }
      if (end == std::string_view::npos) {
        pending_.append(piece);
        break;
      }
      if (const auto line = finished(piece); !line.empty())
        return line;
    }
    return std::nullopt;
  }

  /// The last line where the stream ended complete without a newline. Not for a cut stream: there
  /// the rest is half a line.
  std::optional<std::string_view> rest() {
    if (handed_out_)
      return std::nullopt;
    const auto line = finished({});
    return line.empty() ? std::nullopt : std::optional{line};
  }

  bool overflowed() const { return overflowed_; }

private:
  std::string_view finished(std::string_view piece) {
    std::string_view line = piece;
    if (!pending_.empty()) {
      pending_.append(piece);
      line = pending_;
      handed_out_ = true;
    }
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    const bool blank = line.find_first_not_of(" \t") == std::string_view::npos;
    if (blank && handed_out_) {
      pending_.clear();
      handed_out_ = false;
    }
    return blank ? std::string_view{} : line;
  }

  std::size_t bytes_max_;
  std::string pending_;
  bool handed_out_ = false; // the caller holds a view of pending_
  bool overflowed_ = false;
};

} // namespace sliceferry::k8s
