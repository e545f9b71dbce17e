// What many settled slices cost the real program, beside the goals: its CPU and its writes when it is started again
// where all is in sync, and its memory with a million of them. The API servers are simulated ones of another process.
#include "k8s/io_loop.hpp"
#include "messages/endpoint_slice.hpp"
#include "messages/service_export.hpp"
#include "messages/slice_export.hpp"
#include "test/bench/arguments.hpp"
#include "test/bench/figures.hpp"
#include "test/bench/full_servers.hpp"
#include "test/bench/listed_bodies.hpp"
#include "test/bench/measured_program.hpp"
#include "test/bench/row.hpp"
#include "test/storm/stage/workplace.hpp"

#include <boost/json.hpp>

#include <sstream>

namespace {

using namespace sliceferry;
using bench::median;
namespace json = boost::json;

/// A process of servers with so many slices, and a program beside it.
class stage {
public:
  stage(const std::filesystem::path& binary, std::size_t slices) : members_(slices) {
    const auto ready = place_.folder() / "servers.json";
    storm::child_options how;
    how.command = {std::filesystem::read_symlink("/proc/self/exe").string(), "--serve", ready.string(), "--slices",
                   std::to_string(slices)};
    how.log = place_.folder() / "servers.log";
    servers_.emplace(std::move(how));
    if (!servers_->start())
      throw std::runtime_error{"the servers can't be started"};
    for (; !std::filesystem::exists(ready); ::poll(nullptr, 0, 20))
      if (!servers_->alive())
        throw std::runtime_error{"the servers ended: " + servers_->tail()};
    std::ostringstream text;
    text << std::ifstream{ready}.rdbuf();
    const auto read = json::parse(text.str());
    const auto url = [&](const char* of) { return std::string{read.at("clusters").at(of).as_string()}; };
    plan_ = {binary,
             place_.folder(),
             members_.member(),
             members_.hub_nspace(),
             url(members_.member().c_str()),
             url("hub"),
             slices,
             false};
    control_.emplace(loop_, access(std::string{read.at("control").as_string()}));
    member_.emplace(loop_, access(plan_.member_url));
    hub_.emplace(loop_, access(plan_.hub_url));
  }

  bench::measured_program::figures run(bool with_journal, std::chrono::seconds patience,
                                       std::chrono::seconds rest = {}) {
    auto plan = plan_;
    plan.with_journal = with_journal;
    bench::measured_program program{loop_, plan};
    const auto out = program.settle(patience, rest);
    program.stop();
    return out;
  }

  /// The run that exports all of them.
  bench::measured_program::figures first_run(std::chrono::seconds patience, std::chrono::seconds rest = {}) {
    const auto out = run(true, patience, rest);
    if (const auto seen = writes(); seen < 2 * plan_.slices)
      throw std::runtime_error{"only " + std::to_string(seen) + " writes for the first export of all slices"};
    return out;
  }

  /// Creates, changes and deletes that the program sent to any of the servers so far.
  std::uint64_t writes() {
    std::uint64_t out = 0;
    const auto stats = json::parse(storm::get(*control_, "/stats").body);
    for (const auto& [name, cluster] : stats.at("clusters").as_object())
      if (const auto* verbs = cluster.at("by").as_object().if_contains("sliceferry"))
        for (const auto& [verb, codes] : verbs->as_object())
          if (verb != "get" && verb != "list" && verb != "watch")
            for (const auto& [code, count] : codes.as_object())
              out += count.to_number<std::uint64_t>();
    return out;
  }

  struct parsing {
    double decoding = 0; ///< CPU seconds of the decoder alone
    double reading = 0;  ///< of asking, receiving and decoding
    double megabytes = 0;
  };

  parsing parse_lists(std::size_t runs) {
    parsing out;
    parse<endpoint_slice>(*member_, k8s::endpoint_slices, {}, runs, out);
    parse<service_export>(*member_, k8s::service_exports, {}, runs, out);
    parse<slice_export>(*hub_, k8s::slice_exports, members_.hub_nspace(), runs, out);
    return out;
  }

private:
  static k8s::cluster_access access(std::string url) {
    k8s::cluster_access out;
    out.server = std::move(url);
    out.token = "storm-token";
    return out;
  }

  template <class T>
  void parse(k8s::http_client& from, const k8s::resource& of, const std::string& nspace, std::size_t runs,
             parsing& out) {
    {
      const bench::listed_bodies<T> pages{from, of, nspace};
      std::vector<double> seen;
      for (std::size_t i = 0; i < runs; ++i)
        seen.push_back(pages.decoding_seconds());
      out.decoding += median(seen);
      out.megabytes += static_cast<double>(pages.bytes()) / 1e6;
    }
    std::vector<double> seen;
    for (std::size_t i = 0; i < runs; ++i)
      seen.push_back(bench::listed_bodies<T>::reading_seconds(from, of, nspace));
    out.reading += median(seen);
  }

  storm::workplace place_;
  bench::full_servers members_;
  k8s::io_loop loop_;
  bench::program_plan plan_;
  std::optional<storm::child> servers_;
  std::optional<k8s::http_client> control_, member_, hub_;
};

std::string named(const char* what, std::size_t slices) {
  return std::to_string(slices) + " slices" + what;
}

void measure_restart(const std::filesystem::path& binary, std::size_t slices, std::size_t runs,
                     bench::row_table& rows) {
  stage on{binary, slices};
  const auto first = on.first_run(std::chrono::minutes{10});
  rows.add({named(", first export: CPU per slice", slices), first.cpu / static_cast<double>(slices) * 1e6, "µs"});
  const auto parsing = on.parse_lists(runs);
  rows.add({"  CPU of decoding its three lists", parsing.decoding, "s"});
  rows.add({"  CPU of receiving and decoding them, as a client that does nothing else", parsing.reading, "s"});
  rows.add({"  size of the three lists", parsing.megabytes, "MB"});
  for (const bool with_journal : {true, false}) {
    const auto before = on.writes();
    std::vector<double> cpu, wall;
    for (std::size_t i = 0; i < runs; ++i) {
      const auto seen = on.run(with_journal, std::chrono::minutes{5});
      cpu.push_back(seen.cpu);
      wall.push_back(seen.wall);
    }
    const std::string how = with_journal ? ", journal" : ", no journal";
    rows.add({named(" in sync, restart", slices) + how + ": CPU beyond decoding the lists",
              median(cpu) - parsing.decoding, "s", 0.5, 0.3});
    rows.add({"  CPU beyond receiving and decoding them", median(cpu) - parsing.reading, "s"});
    rows.add({"  all its CPU until settled", median(cpu), "s"});
    rows.add({"  until settled, by the clock", median(wall), "s"});
    rows.add({"  writes in " + std::to_string(runs) + " restarts", static_cast<double>(on.writes() - before), "", 0.0});
  }
}

void measure_residence(const std::filesystem::path& binary, std::size_t slices, bench::row_table& rows) {
  constexpr std::chrono::minutes patience{30};
  constexpr std::chrono::seconds rest{8}; // what a start took has been given back by then
  stage on{binary, slices};
  const double scale = 1e6 / static_cast<double>(slices);
  const auto mb = [](double bytes) { return bytes / 1e6; };
  const auto show = [&](const bench::measured_program::figures& seen) {
    rows.add({"  beside it, pages of mapped files (program and journal)", mb(seen.now.files), "MB"});
    rows.add({"  all that was ever resident at once, files included", mb(seen.now.highest), "MB"});
    rows.add({"  until settled, by the clock", seen.wall, "s"});
    rows.add({"  CPU per slice", seen.cpu / static_cast<double>(slices) * 1e6, "µs"});
  };
  const auto first = on.first_run(patience, rest);
  rows.add(
    {named(", first export, journal: memory at the peak", slices), mb(first.own_peak), "MB", 900 / scale, 600 / scale});
  rows.add({"  memory when settled", mb(first.now.own), "MB"});
  show(first);
  for (const bool with_journal : {true, false}) {
    const auto seen = on.run(with_journal, patience, rest);
    const std::string how = with_journal ? ", journal" : ", no journal";
    rows.add(
      {named(" settled after a restart", slices) + how + ": memory", mb(seen.now.own), "MB", 450 / scale, 300 / scale});
    rows.add({"  at the peak of the restart", mb(seen.own_peak), "MB"});
    show(seen);
  }
}

int run(const bench::arguments& given) {
  const bool smoke = given.is_smoke();
  const std::filesystem::path binary = given.text("--program");
  if (!std::filesystem::exists(binary))
    throw std::runtime_error{binary.string() + " isn't there"};
  bench::row_table rows{!smoke};
  if (const auto slices = smoke ? 300 : given.number("--restarted"); slices > 0)
    measure_restart(binary, slices, smoke ? 1 : given.number("--runs"), rows);
  if (const auto slices = smoke ? 0 : given.number("--resident"); slices > 0)
    measure_residence(binary, slices, rows);
  return rows.exit_code();
}

} // namespace

int main(int argc, char** argv) {
  const auto beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "sliceferry";
  const bench::arguments given{argc,
                               argv,
                               {{"--restarted", "100000"},
                                {"--resident", "1000000"},
                                {"--runs", "5"},
                                {"--program", beside},
                                {"--serve", ""},
                                {"--slices", "0"}}};
  try {
    if (const auto& ready_file = given.text("--serve"); !ready_file.empty())
      return bench::full_servers{given.number("--slices")}.serve(ready_file);
    return run(given);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "bench scale: %s\n", failed.what());
    return 3;
  }
}
