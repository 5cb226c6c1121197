// Whether two builds can be compared at all. What is unknown on either side is no reason against
// it.
#include "analyzers/compare/verdict/verdict.h"

#include <algorithm>
#include <set>

#include "analyzers/compare/runs/run_statistics.h"
#include "analyzers/text.h"

namespace trtlens {
namespace {

constexpr double kMinAlignedShare = 0.20;

struct InputShapes {
  std::multiset<std::string> shapes;
  std::string text;  // "input=32x3x224x224"
};

// Shapes of the network's inputs, when every one of them is known. Names do not count: another
// export of the same model may have renamed its inputs.
std::optional<InputShapes> input_shapes(const Build& build) {
  InputShapes found;
  std::set<std::string> texts;
  for (const IoTensor& io : build.io_tensors) {
    if (!io.is_input) continue;
    std::string shape;
    for (const std::int64_t d : io.tensor.dims) {
      if (d < 0) return std::nullopt;
      shape += (shape.empty() ? "" : "x") + std::to_string(d);
    }
    if (shape.empty()) return std::nullopt;
    texts.insert(io.tensor.name + "=" + shape);
    found.shapes.insert(std::move(shape));
  }
  if (found.shapes.empty()) return std::nullopt;
  found.text = join(texts, ", ");
  return found;
}

// Batch that is no dimension of an input: --batch, or the banner's when no input is known. (Beside
// explicit shapes the banner of a loaded engine says 1 whatever they are.)
std::optional<std::string> batch_of(const Build& build) {
  if (auto given = build.options.value("batch")) return given;
  if (!build.inference.batch || !build.io_tensors.empty()) return std::nullopt;
  return std::to_string(*build.inference.batch);
}

}  // namespace

std::string timed_shapes(const Build& build) {
  const auto shapes = input_shapes(build);
  if (!shapes) return {};
  const auto batch = batch_of(build);
  return join(shapes->shapes, ", ") + (batch ? ", batch " + *batch : "");
}

void check_comparable(Comparison& c) {
  const auto refuse = [&](std::string reason) {
    c.comparable = false;
    c.not_comparable.push_back(std::move(reason));
  };
  const auto refuse_timeless = [&](const char* side, const Analysis& analysis) {
    if (has_any_time(analysis)) return;
    c.can_force = false;
    if (analysis.build.outcome != Outcome::failed) {
      refuse(std::string("the ") + side + " has no time at all");
      return;
    }
    refuse(std::string("the ") + side + "'s build failed" +
           (analysis.findings.empty() ? "" : ": " + analysis.findings[0].title));
    // A side that failed is the first thing to know.
    const auto failed = c.not_comparable.end() - 1;
    std::rotate(c.not_comparable.begin() + static_cast<std::ptrdiff_t>(c.failed_sides), failed,
                c.not_comparable.end());
    ++c.failed_sides;
  };
  refuse_timeless("base", c.base);
  refuse_timeless("candidate", c.candidate);
  const Build& b = c.base.build;
  const Build& d = c.candidate.build;
  if (b.gpu && d.gpu && !b.gpu->name.empty() && !d.gpu->name.empty() &&
      b.gpu->name != d.gpu->name) {
    refuse("another GPU: " + b.gpu->name + " against " + d.gpu->name);
  }
  const auto shapes_b = input_shapes(b);
  const auto shapes_d = input_shapes(d);
  if (shapes_b && shapes_d && shapes_b->shapes != shapes_d->shapes) {
    refuse("other input shapes: " + shapes_b->text + " against " + shapes_d->text);
  }
  const auto batch_b = batch_of(b);
  const auto batch_d = batch_of(d);
  if (batch_b && batch_d && *batch_b != *batch_d) {
    refuse("another batch: " + *batch_b + " against " + *batch_d);
  }
  if (b.has_profile && d.has_profile &&
      std::min(c.aligned_share_base, c.aligned_share_candidate) < kMinAlignedShare) {
    const double share = std::min(c.aligned_share_base, c.aligned_share_candidate);
    const char* side = c.aligned_share_base <= c.aligned_share_candidate ? "base" : "candidate";
    refuse(share > 0 ? std::string("only ") + share_text(share) + " of the " + side +
                           "'s profile time is in layers that both sides have"
                     : "no layer with a time is on both sides");
  }
}

}  // namespace trtlens
