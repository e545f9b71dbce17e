#include "actors/explain_command.hpp"

#include "actors/explain_desk.hpp"
#include "config/command_line.hpp"
#include "test/k8s/loopback_server.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

namespace sliceferry {
namespace {

using k8s::test::loopback_server;
using k8s::test::peer;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

settings two_members(const std::string& first, const std::string& second) {
  settings out;
  out.hub.url = first;
  for (const auto& [name, url] : {std::pair{"m1", first}, {"m2", second}}) {
    auto& member = out.members.emplace_back();
    member.name = name;
    member.hub_nspace = std::string("fleet-member-") + name;
    member.server.url = url;
  }
  return out;
}

/// The command as it is given, with all that it says.
struct given {
  std::string told{};
  std::string complaints{};

  int explain(const std::string& listen, const question& about, const settings& chosen) {
    const command_voices voices{[this](const std::string& text) { told += text; },
                                [this](const std::string& line) { complaints += line + '\n'; }};
    return explain_slice(
      listen, about, [&] { return chosen; }, voices);
  }
};

question about(bool json, const std::string& member = {}) {
  question out;
  out.nspace = "shop";
  out.name = "web";
  out.member = member;
  out.json = json;
  return out;
}

/// Members m1 and m2 run, and neither knows any slice.
struct running {
  running() : server(admin_site{{}, {}, desk.pages()}) {
    for (const char* name : {"m1", "m2"})
      desk.attach(name, [name = std::string(name)](const slice_question& asked) {
        asked.answer({name, {}, true, true, 7, {}, false});
      });
    EXPECT_EQ(server.listen("127.0.0.1:0"), std::nullopt);
  }
  std::string address() const { return "127.0.0.1:" + std::to_string(server.port()); }

  explain_desk desk{{"m1", "m2"}};
  admin_server server;
};

/// Nobody listens there.
const std::string nowhere = "127.0.0.1:1";

std::string nothing(const std::string& head) {
  return has(head, "endpointslices/") ? R"({"kind":"Status","status":"Failure","reason":"NotFound","code":404,)"
                                        R"("details":{"name":"web","kind":"endpointslices"}})"
                                      : R"({"metadata":{"resourceVersion":"9"},"items":[]})";
}

void serve_nothing(peer& client, int) {
  for (std::string head = client.request(); !head.empty(); head = client.request())
    client.answer(nothing(head), has(head, "endpointslices/") ? 404 : 200);
}

TEST(ExplainCommand, TellsJsonWhereNothingIsFoundToo) {
  running program;
  given asked;
  EXPECT_EQ(asked.explain(program.address(), about(true), {}), exit_failed);
  EXPECT_EQ(asked.told.find(R"({"answered_by":"the running program","namespace":"shop","name":"web","found":[])"), 0U)
    << asked.told;
  EXPECT_EQ(asked.complaints, "");

  loopback_server clusters{serve_nothing};
  given alone;
  EXPECT_EQ(alone.explain(nowhere, about(true), two_members(clusters.url(), clusters.url())), exit_failed);
  EXPECT_EQ(alone.told.find(R"({"answered_by":"the clusters alone","namespace":"shop","name":"web","found":[])"), 0U)
    << alone.told;
}

TEST(ExplainCommand, OfNoSuchMemberSaysTheSameWithAProgramAndWithout) {
  running program;
  const auto chosen = two_members("http://127.0.0.1:1", "http://127.0.0.1:1");
  for (const bool json : {false, true})
    for (const auto& listen : {program.address(), nowhere}) {
      SCOPED_TRACE(listen);
      given asked;
      EXPECT_EQ(asked.explain(listen, about(json, "nope"), chosen), exit_wrong_settings);
      EXPECT_TRUE(has(asked.complaints, "error: there is no member nope; there are m1, m2\n")) << asked.complaints;
      EXPECT_EQ(asked.told, "");
    }
}

TEST(ExplainCommand, ConcludesNothingOfAMemberThatCannotBeRead) {
  loopback_server clusters{serve_nothing};
  const auto chosen = two_members(clusters.url(), "http://127.0.0.1:1");
  given asked;
  EXPECT_EQ(asked.explain(nowhere, about(false), chosen), exit_failed);
  EXPECT_TRUE(has(asked.complaints, "error: member m2: GET http://127.0.0.1:1/")) << asked.complaints;
  EXPECT_TRUE(has(asked.complaints, "no answer came from m2")) << asked.complaints;
  EXPECT_FALSE(has(asked.complaints, "nothing is known of")) << asked.complaints;
  given programs;
  EXPECT_EQ(programs.explain(nowhere, about(true), chosen), exit_failed);
  EXPECT_TRUE(has(programs.told, R"("silent":["m2"])")) << programs.told;
}

} // namespace
} // namespace sliceferry
