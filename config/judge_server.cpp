#include "config/certificate_text.hpp"
#include "config/request_header.hpp"
#include "config/server_url.hpp"
#include "config/settings_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace sliceferry {

namespace {

class server_judge {
public:
  server_judge(const server_draft& draft, const surroundings& around, setting_errors& errors)
    : draft_(draft), around_(around), errors_(errors) {}

  server_settings judge() {
    server_settings out;
    out.in_cluster = boolean("in_cluster", draft_.in_cluster);
    out.insecure_skip_tls_verify = boolean("insecure_skip_tls_verify", draft_.insecure_skip_tls_verify);
    one_way();
    kubeconfig(out);
    url(out);
    certificates(out);
    headers(out);
    out.qps = number("qps", draft_.qps, out.qps, 0, "requests per second, more than 0, such as 200");
    out.burst = number("burst", draft_.burst, out.burst, 1, "a number of requests, 1 or more, such as 400");
    return out;
  }

private:
  void one_way() {
    const bool in_cluster = draft_.in_cluster && draft_.in_cluster->text != "false";
    if (draft_.url && (draft_.kubeconfig || in_cluster))
      error(*draft_.url, fmt::format("both url and {} are set", draft_.kubeconfig ? "kubeconfig" : "in_cluster"),
            "keep the one that tells how to reach the server");
    else if (draft_.kubeconfig && in_cluster)
      error(*draft_.in_cluster, "both in_cluster and kubeconfig are set",
            "keep the one that tells how to reach the server");
    if (draft_.context && !draft_.kubeconfig)
      belongs(*draft_.context, "context", "kubeconfig");
    if (draft_.url)
      return;
    const std::pair<const char*, const draft_value*> parts[] = {
      {"token_file", &draft_.token_file},
      {"ca_data", &draft_.ca_data},
      {"ca_file", &draft_.ca_file},
      {"insecure_skip_tls_verify", &draft_.insecure_skip_tls_verify},
    };
    for (const auto& [name, value] : parts) {
      if (*value)
        belongs(**value, name, "url");
    }
    if (!draft_.headers.empty())
      belongs(draft_.headers.front().second, "headers", "url");
  }

  void belongs(const sourced& value, const char* name, const char* whole) {
    error(value, fmt::format("{} is set without {}", name, whole), fmt::format("set {} too, or remove it", whole));
  }

  /// One of a list may be missing, as for kubectl; not all.
  void kubeconfig(server_settings& out) {
    if (!draft_.kubeconfig)
      return;
    out.kubeconfig = draft_.kubeconfig->text;
    out.context = draft_.context ? draft_.context->text : "";
    std::string problems;
    for (std::size_t begin = 0; begin <= out.kubeconfig.size();) {
      const std::size_t end = std::min(out.kubeconfig.find(':', begin), out.kubeconfig.size());
      const std::string path = out.kubeconfig.substr(begin, end - begin);
      begin = end + 1;
      if (path.empty())
        continue;
      const std::string problem = around_.file(path).problem;
      if (problem.empty())
        return;
      problems += fmt::format("{}cannot read {}: {}", problems.empty() ? "" : ", ", path, problem);
    }
    error(*draft_.kubeconfig, problems.empty() ? "no kubeconfig is named" : problems, "name a readable kubeconfig");
  }

  /// Bearer tokens and headers never leave the machine in clear (AU18).
  void url(server_settings& out) {
    if (!draft_.url)
      return;
    out.url = draft_.url->text;
    while (out.url.ends_with('/'))
      out.url.pop_back();
    out.token_file = draft_.token_file ? draft_.token_file->text : "";
    if (const std::string problem = server_url_problem(draft_.url->text); !problem.empty())
      error(*draft_.url, "not the URL of an API server: " + problem, "write https://HOST:PORT");
    else if (out.url.starts_with("http://") && !is_loopback_url(out.url) &&
             (draft_.token_file || !draft_.headers.empty()))
      error(*draft_.url, "credentials would go over the network in clear", "use https://");
  }

  /// A CA together with "don't verify" is refused: each way to read it surprises someone (AU15).
  void certificates(server_settings& out) {
    if (draft_.ca_data) {
      if (std::optional<std::string> pem = certificate_text(draft_.ca_data->text))
        out.ca_data = std::move(*pem);
      else
        error(*draft_.ca_data, "no certificates are in it", "give PEM text, as it is or in base64");
    }
    if (draft_.ca_file) {
      out.ca_file = draft_.ca_file->text;
      if (const file_content file = around_.file(out.ca_file); !file.problem.empty())
        error(*draft_.ca_file, fmt::format("cannot read {}: {}", out.ca_file, file.problem),
              "name a readable file of certificates");
      else if (file.text.find("-----BEGIN CERTIFICATE-----") == std::string::npos)
        error(*draft_.ca_file, fmt::format("{} holds no certificates", out.ca_file), "name a file of PEM certificates");
    }
    if (out.insecure_skip_tls_verify && (draft_.ca_data || draft_.ca_file))
      error(*draft_.insecure_skip_tls_verify, "a CA is given, and ignoring it is asked for", "remove one of the two");
  }

  void headers(server_settings& out) {
    std::set<std::string> seen;
    for (const auto& [name, value] : draft_.headers) {
      if (const std::string problem = request_header_problem(name, value.text); !problem.empty())
        error(value, fmt::format("header \"{}\": {}", name, problem), "remove it, or correct it");
      else if (!seen.insert(folded_header_name(name)).second)
        error(value, fmt::format("header \"{}\" is set twice", name), "remove one of them");
      else
        out.headers.emplace(name, value.text);
    }
  }

  bool boolean(const char* name, const draft_value& value) {
    if (!value || value->text == "false")
      return false;
    if (value->text != "true")
      error(*value, fmt::format("{}: \"{}\" is neither true nor false", name, value->text), "write one of them");
    return true;
  }

  double number(const char* name, const draft_value& value, double otherwise, double least, const char* wanted) {
    if (!value)
      return otherwise;
    double out = 0;
    const char* last = value->text.data() + value->text.size();
    const auto [end, problem] = std::from_chars(value->text.data(), last, out);
    if (problem == std::errc{} && end == last && std::isfinite(out) && out > 0 && out >= least)
      return out;
    error(*value, fmt::format("{}: \"{}\" is not a possible limit", name, value->text), fmt::format("give {}", wanted));
    return otherwise;
  }

  void error(const sourced& value, std::string what, std::string advice) {
    errors_.push_back({value.where, std::move(what), std::move(advice)});
  }

  const server_draft& draft_;
  const surroundings& around_;
  setting_errors& errors_;
};

} // namespace

server_settings judge_server(const server_draft& draft, const surroundings& around, setting_errors& errors) {
  return server_judge{draft, around, errors}.judge();
}

} // namespace sliceferry
