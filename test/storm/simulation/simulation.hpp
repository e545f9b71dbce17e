#pragma once
#include "test/storm/simulation/api_server.hpp"
#include "test/storm/simulation/channel.hpp"
#include "test/storm/simulation/clusters.hpp"
#include "test/storm/simulation/defect.hpp"
#include "test/storm/simulation/process.hpp"
#include "test/storm/simulation/safety.hpp"
#include "test/storm/simulation/step.hpp"
#include "test/storm/simulation/users.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sliceferry::storm {

/// One member cluster, its namespace on the hub, one process at a time, and all that lies between them. Nothing happens
/// but by steps; virtual time moves a millisecond with each, further with `pass` and `calm`.
///
/// Everything follows from the steps: run twice, they do the same.
class simulation {
public:
  explicit simulation(defect planted = defect::none, bool takes_notes = false);

  void carry_out(const step& one);
  /// The weather turns fair: all is delivered and answered, time runs on. Both clusters must become right within
  /// bounded virtual time; then nothing is written any more, neither after a relist nor by another process.
  void finish();

  /// The first thing that went wrong. Further steps do nothing.
  const std::optional<violation>& found() const { return safety_.found(); }
  std::uint64_t writes() const { return writes_; }
  /// What happened since the last call, for people; empty unless notes are taken.
  std::vector<std::string> notes() { return std::exchange(notes_, {}); }
  std::chrono::nanoseconds elapsed() const { return now_ - tick{}; }

private:
  struct flight {
    request asked;
    std::optional<reply> answer; ///< set once carried out
  };

  void start(std::uint32_t limits);
  void on_channels(const step& one);
  void on_requests(const step& one);
  void on_process(const step& one);
  template <class T>
  void on_channel(channel<T>& by, const collection<T>& of, const step& one);
  template <class T>
  bool catch_up(channel<T>& by, const collection<T>& of);
  template <class T>
  void deliver(watch_batch<T> seen);
  template <class T>
  void expire(channel<T>& by, const collection<T>& of);
  template <class T>
  std::uint64_t version_of(const collection<T>& of) const;

  void move_to(tick when);
  void pass(std::chrono::nanoseconds span);
  void settle();
  bool work_off(); ///< everything on its way arrives, once; false: nothing was
  bool drain();
  bool expect_silence(const char* check);

  void send(request asked);
  void execute(flight& which, fate how);
  void run(const request& asked, fate how, reply& into, bool forgotten);
  void tell(std::size_t at);
  void lose(std::size_t at, bool may_come);
  void ghost(std::uint32_t index);

  template <class Text>
  void note(Text text) {
    if (takes_notes_)
      notes_.push_back(text());
  }

  defect planted_;
  bool takes_notes_;
  tick now_{};
  int wrong_by_ = 0; ///< seconds; the process's wall clock
  clusters truth_;
  users users_{truth_};
  api_server servers_{truth_, planted_};
  safety safety_{truth_};
  channel<endpoint_slice> slices_;
  channel<service_export> consents_;
  channel<slice_export> exports_;
  std::unique_ptr<process> process_;
  std::uint64_t processes_ = 0;
  std::vector<flight> flights_;
  std::vector<request> ghosts_; ///< nobody waits for them, and they may yet be carried out
  std::uint64_t requests_ = 0;
  std::uint64_t writes_ = 0;
  std::uint32_t busy_ = 0; ///< steps for which mail isn't read
  bool is_calm_ = false;   ///< nobody but the fleet's controllers and the process does anything any more
  std::vector<std::string> notes_;
};

} // namespace sliceferry::storm
