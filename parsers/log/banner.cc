// Typed facts out of the banner's rows and of the tensors that several lines name.
#include "parsers/log/numbers.h"
#include "parsers/log/run_builder.h"

namespace trtlens {
namespace {

std::string row(const Build& build, const char* key) {
  const auto found = build.banner.find(std::string("Inference Options/") + key);
  return found == build.banner.end() ? std::string() : found->second;
}

std::optional<bool> enabled(const std::string& value) {
  if (value == "Enabled") return true;
  if (value == "Disabled") return false;
  return std::nullopt;
}

}  // namespace

void read_banner(Build& build) {
  Inference& inference = build.inference;
  const std::string streams = row(build, "Inference Streams");
  inference.streams = whole_number(streams.empty() ? row(build, "Streams") : streams);
  inference.opt_profile = whole_number(row(build, "Optimization Profile Index"));
  inference.cuda_graph = enabled(row(build, "CUDA Graph"));
  inference.data_transfers = enabled(row(build, "Data transfers"));
  inference.spin_wait = enabled(row(build, "Spin-wait"));
  // "Batch: 1" also stands in the banner of a loaded explicit-batch engine: the input's shape wins.
  inference.batch = whole_number(row(build, "Batch"));
  for (const IoTensor& io : build.io_tensors) {
    if (io.is_input && io.tensor.dims.size() > 1 && io.tensor.dims[0] > 0) {
      inference.batch = io.tensor.dims[0];
      break;
    }
  }
}

void add_io_tensor(Build& build, IoTensor io) {
  for (IoTensor& known : build.io_tensors) {
    if (known.tensor.name != io.tensor.name) continue;
    bool open = known.tensor.dims.empty();
    for (const std::int64_t d : known.tensor.dims) open = open || d < 0;
    if (open && !io.tensor.dims.empty()) {
      known.tensor.dims = io.tensor.dims;
      known.tensor.has_dims = true;
    }
    if (known.tensor.type == DataType::unknown) known.tensor.type = io.tensor.type;
    return;
  }
  build.io_tensors.push_back(std::move(io));
}

}  // namespace trtlens
