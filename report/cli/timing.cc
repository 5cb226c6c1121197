// Wall time of each stage, its speed where bytes were read, and the largest memory.
#include "report/cli/timing.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <utility>

#include "report/cli/output.h"

namespace trtlens {

void StageTimes::end(const std::string& stage) {
  add({stage, 0, false, 0});
}

void StageTimes::end(const std::string& stage, std::uint64_t bytes) {
  add({stage, 0, true, bytes});
}

void StageTimes::add(Stage stage) {
  const Clock::time_point now = Clock::now();
  stage.s = std::chrono::duration<double>(now - last_).count();
  last_ = now;
  if (wanted_) stages_.push_back(std::move(stage));
}

StageTimes::~StageTimes() {
  if (!wanted_) return;
  double total_s = 0;
  for (const Stage& stage : stages_) {
    total_s += stage.s;
    std::string line = fmt::format("timing: {:>10.1f} ms  {}", 1e3 * stage.s, stage.name);
    if (stage.input) {
      const double mb = static_cast<double>(stage.bytes) / 1e6;
      line += fmt::format(", {} bytes", stage.bytes);
      if (stage.s > 0) line += fmt::format(", {:.1f} MB/s", mb / stage.s);
    }
    complain(line);
  }
  complain(fmt::format("timing: {:>10.1f} ms  in all", 1e3 * total_s));
  struct rusage usage {};
  if (::getrusage(RUSAGE_SELF, &usage) == 0) {
    complain(fmt::format("timing: {:>10.1f} MB  peak memory",
                         static_cast<double>(usage.ru_maxrss) * 1024 / 1e6));
  }
}

}  // namespace trtlens
