// Facts on what was built and on what: TensorRT, GPU, inputs and outputs, how the log was read.
#include "report/facts/facts.h"

namespace trtlens {
namespace {

constexpr const char* kVersionSources[] = {"banner", "log", "guessed"};
constexpr const char* kModes[] = {"input", "output"};
constexpr const char* kMessageSeverities[] = {"error", "warning"};

template <auto Member>
constexpr auto kDimsOf = [](const ProfileShapes& shapes) { return dims_if_any(shapes.*Member); };
template <auto Member>
constexpr auto kShapeOf =
    [](const OptimizationProfile& one) { return dims_if_any(one.shapes.*Member); };
template <LineClass Class>
constexpr auto kLinesOf = [](const Coverage& coverage) { return coverage.of(Class); };

const FactsOf<ProfileShapes> kProfileShapesFacts{
    "profile_shapes",
    {{"profile", kCount, "its number", kFrom<&ProfileShapes::profile>},
     {"min", kIntegers.or_null(), "dimensions", kDimsOf<&ProfileShapes::min>},
     {"opt", kIntegers.or_null(), "dimensions", kDimsOf<&ProfileShapes::opt>},
     {"max", kIntegers.or_null(), "dimensions", kDimsOf<&ProfileShapes::max>}}};

}  // namespace

const FactsOf<Version> kTensorRtFacts{
    "tensorrt",
    {{"version", kText, "as 8.6.1", kFrom<&Version::text>},
     {"build", kCount.or_null(), "its number, 10.4 and later", kFrom<&Version::build>},
     {"source", one_of(kVersionSources), "where the version comes from",
      [](const Version& version) { return kVersionSources[static_cast<int>(version.source)]; }}}};

const FactsOf<Gpu> kGpuFacts{
    "gpu",
    {{"name", kText.or_null(), "as the driver prints it", kFrom<&Gpu::name>},
     {"compute_capability", kText.or_null(), "as 9.0", kFrom<&Gpu::compute_capability>},
     {"sms", kCount.or_null(), "streaming multiprocessors", kFrom<&Gpu::sms>},
     {"memory_bytes", kBytes.or_null().from(0), "in all", kFrom<&Gpu::memory_bytes>},
     {"compute_clock_ghz", kNumber.or_null(), "as the log says", kFrom<&Gpu::compute_clock_ghz>},
     {"memory_clock_ghz", kNumber.or_null(), "as the log says", kFrom<&Gpu::memory_clock_ghz>},
     {"memory_bus_bits", kInteger.or_null(), "width", kFrom<&Gpu::memory_bus_bits>}}};

const FactsOf<IoTensor> kIoTensorFacts{
    "io_tensor",
    {{"name", kText, "its name", [](const IoTensor& io) { return io.tensor.name; },
      as_name("Tensor")},
     {"mode", one_of(kModes), "of the network",
      [](const IoTensor& io) { return kModes[io.is_input ? 0 : 1]; }, as_label("Mode")},
     {"dims", kIntegers.or_null(), "empty: a scalar; -1: dynamic",
      [](const IoTensor& io) { return dims_of(io.tensor); }},
     {"type", kText.or_null(), "of its elements",
      [](const IoTensor& io) { return type_of(io.tensor); }},
     {"profiles", kProfileShapesFacts, "what optimization profiles allow, of 11.x layer info",
      kFrom<&IoTensor::shapes>}}};

const FactsOf<OptimizationProfile> kOptimizationProfileFacts{
    "optimization_profile",
    {{"profile", kCount, "its number",
      [](const OptimizationProfile& one) { return one.shapes.profile; }},
     {"input", kText, "of the network", kFrom<&OptimizationProfile::input>},
     {"shape_tensor", kFlag, "min, opt and max are values, not dimensions",
      kFrom<&OptimizationProfile::shape_tensor>},
     {"min", kIntegers.or_null(), "null where it cannot be read", kShapeOf<&ProfileShapes::min>},
     {"opt", kIntegers.or_null(), "null where it cannot be read", kShapeOf<&ProfileShapes::opt>},
     {"max", kIntegers.or_null(), "null where it cannot be read", kShapeOf<&ProfileShapes::max>}}};

const FactsOf<Coverage> kCoverageFacts{
    "coverage",
    {{"lines", kCount, "the classes add up to them", kFrom<&Coverage::lines>},
     {"recognised", kCount, "a known kind with a fact in it", kLinesOf<LineClass::recognised>},
     {"noise", kCount, "a known kind without a fact", kLinesOf<LineClass::noise>},
     {"continuation", kCount, "belongs to the message before it",
      kLinesOf<LineClass::continuation>},
     {"malformed", kCount, "looks like a known kind, but does not match it",
      kLinesOf<LineClass::malformed>},
     {"unknown", kCount, "TensorRT's or trtexec's, of no known kind", kLinesOf<LineClass::unknown>},
     {"foreign", kCount, "written by something else", kLinesOf<LineClass::foreign>}}};

// In the order of LineClass behind "lines".
const FactEntry& fact_of(LineClass line_class) {
  return *(kCoverageFacts.begin() + 1 + static_cast<std::ptrdiff_t>(line_class));
}

std::vector<std::pair<FactEntry, std::uint64_t>> lines_by_class(const Coverage& of) {
  std::vector<std::pair<FactEntry, std::uint64_t>> classes;
  for (std::size_t i = 0; i < kLineClassCount; ++i) {
    const auto line_class = static_cast<LineClass>(i);
    classes.emplace_back(fact_of(line_class), of.of(line_class));
  }
  return classes;
}

const FactsOf<Message> kMessageFacts{
    "message",
    {{"severity", one_of(kMessageSeverities), "as the log marks it",
      [](const Message& m) {
        return kMessageSeverities[m.severity == LogSeverity::warning ? 1 : 0];
      }},
     {"text", kText, "all its lines, without prefixes", kFrom<&Message::text>},
     {"count", kCount.from(1), "equal ones are one", kFrom<&Message::count>, as_number("Count")},
     {"file", kText.or_absent(), "of the first",
      [](const Analysis& a, const Message& m) { return path_of_input(a, m.pos); }},
     {"line", kCount, "of the first", [](const Message& m) { return m.pos.line; }}}};

}  // namespace trtlens
