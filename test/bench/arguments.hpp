#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace sliceferry::bench {

/// `--name VALUE` pairs and the flag `--smoke` of a measurement's command line.
class arguments {
public:
  /// `known`: each name with what it stands for unless given. Ends the process if there is any other.
  arguments(int count, char** values, std::map<std::string, std::string> known) : values_(std::move(known)) {
    for (int i = 1; i < count; ++i) {
      const std::string name = values[i];
      if (name == "--smoke") {
        smoke_ = true;
        continue;
      }
      const auto found = values_.find(name);
      if (found == values_.end() || i + 1 == count)
        explain(values[0]);
      found->second = values[++i];
    }
  }

  /// Sizes are small, nothing is judged: it shows that the measurement itself still works.
  bool is_smoke() const { return smoke_; }
  const std::string& text(const std::string& name) const { return values_.at(name); }
  std::size_t number(const std::string& name) const { return std::strtoull(text(name).c_str(), nullptr, 10); }

private:
  [[noreturn]] void explain(const char* program) const {
    std::fprintf(stderr, "%s [--smoke]", program);
    for (const auto& [name, value] : values_)
      std::fprintf(stderr, " [%s %s]", name.c_str(), value.c_str());
    std::fputs("\n", stderr);
    std::exit(2);
  }

  std::map<std::string, std::string> values_;
  bool smoke_ = false;
};

} // namespace sliceferry::bench
