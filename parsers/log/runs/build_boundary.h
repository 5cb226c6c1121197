// Where one build of a program ends and its next begins, when no verdict line says so: a script
// that builds several engines. The builder's own lines tell, and they must be certain of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trtlens {

// How far a run's build came, as far as its end matters.
enum class BuildPhase : std::uint8_t {
  open,    // not ended, or nobody knows
  failed,  // an error behind its network: another network is another build
  built    // the builder printed what it needed
};

// What the words of a line say of a build to come.
enum class BuildSign : std::uint8_t {
  none,
  network,    // the head that the ONNX parser prints of a file
  build,      // the builder begins
  rule,       // what stands above that head, and elsewhere
  maybe,      // a builder, or a runtime, is made
  confirmed,  // of a build that was made likely before: no sign alone
  same        // an engine is loaded, or the build measures ranges first
};

[[nodiscard]] BuildSign build_sign(std::string_view body);

// Lines that wait for the one that says whose they are: of the build before them, or of the next.
struct HeldLines {
  struct Line {
    std::string raw;
    std::uint64_t number;
    bool decorated;
  };
  std::vector<Line> lines;
  std::size_t bytes = 0;

  void add(std::string_view raw, std::uint64_t number, bool decorated);
  // Of a program that prints much between: it stays one run.
  [[nodiscard]] bool full() const;
};

}  // namespace trtlens
