#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sliceferry::storm {

/// How many requests were answered how; the text of `/metrics`.
class request_counts {
public:
  void count(std::string_view verb, std::string_view resource, unsigned code);
  /// In Prometheus' text form, with the names of the real server's metric.
  std::string text() const;

private:
  struct key {
    std::string verb;
    std::string resource;
    unsigned code;
  };
  struct key_view {
    std::string_view verb;
    std::string_view resource;
    unsigned code;
  };
  struct less {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      if (a.code != b.code)
        return a.code < b.code;
      if (a.verb != b.verb)
        return a.verb < b.verb;
      return a.resource < b.resource;
    }
  };

  std::map<key, std::uint64_t, less> counts_;
};

} // namespace sliceferry::storm
