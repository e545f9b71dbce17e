#include "actors/operator_commands.hpp"

#include "actors/admin/admin_server.hpp"
#include "k8s/http_client.hpp"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

namespace sliceferry {

namespace {

using answer = k8s::result<k8s::http_response>;

/// The program listens on all addresses, or on this one; we speak to it from the same machine either way.
std::string local_url(const std::string& listen) {
  const auto port = listen.substr(listen.rfind(':'));
  if (listen.starts_with("0.0.0.0:"))
    return "http://127.0.0.1" + port;
  return "http://" + (listen.starts_with("[::]:") ? "[::1]" + port : listen);
}

/// Calls of the running program, one after the other.
class running_program {
public:
  explicit running_program(const std::string& listen, const k8s::http_options& how = {})
    : url_(local_url(listen)), client_(loop_, access(url_), how) {}

  answer ask(k8s::http_method method, std::string target) {
    k8s::http_request request;
    request.method = method;
    request.target = std::move(target);
    std::promise<answer> came;
    auto coming = came.get_future();
    client_.call(std::move(request), [&came](answer end) { came.set_value(std::move(end)); });
    return coming.get();
  }

  const std::string& url() const { return url_; }

private:
  static k8s::cluster_access access(const std::string& url) {
    k8s::cluster_access out;
    out.server = url;
    out.headers[order_header] = "yes";
    return out;
  }

  std::string url_;
  k8s::io_loop loop_;
  k8s::http_client client_;
};

/// `member`: whom the order concerns, if it concerns one.
command_end end_of(const running_program& program, const answer& end, const std::string& member = {}) {
  if (!end)
    return {false, "no sliceferry answers at " + program.url() + ": " + end.error().text +
                     "; name the address that it listens on with --listen or --config\n"};
  if (end->status == 404)
    return {false, "the sliceferry at " + program.url() + " serves no member named '" + member + "'\n"};
  return {end->status < 300, end->body};
}

} // namespace

command_end show_guards(const std::string& listen) {
  running_program program{listen};
  return end_of(program, program.ask(k8s::http_method::get, "/guard"));
}

command_end allow_withdrawals(const std::string& listen, const std::string& member) {
  running_program program{listen};
  return end_of(program, program.ask(k8s::http_method::post, "/guard/allow/" + member), member);
}

command_end leave_fleet(const std::string& listen, const std::string& member,
                        const std::function<void(const std::string&)>& tell) {
  running_program program{listen};
  const std::string target = "/leave/" + member;
  auto end = program.ask(k8s::http_method::post, target);
  std::string told;
  while (end && (end->status == 202 || end->status == 503)) { // 503: it is being started
    if (std::exchange(told, end->body) != end->body)
      tell(end->body);
    std::promise<void>{}.get_future().wait_for(std::chrono::seconds(1));
    end = program.ask(end->status == 503 ? k8s::http_method::post : k8s::http_method::get, target);
    if (end && end->status == 409) // started anew meanwhile, it knows nothing of the order
      end = program.ask(k8s::http_method::post, target);
  }
  return end_of(program, end, member);
}

program_answer ask_running(const std::string& listen, const std::string& target, std::chrono::milliseconds patience) {
  k8s::http_options how;
  how.connect = std::min(how.connect, patience / 5); // on the same machine it takes no time
  how.answer = patience - how.connect;
  running_program program{listen, how};
  const auto end = program.ask(k8s::http_method::get, target);
  if (!end)
    return {0, "no sliceferry answers at " + program.url() + ": " + end.error().text};
  return {end->status, end->body};
}

} // namespace sliceferry
