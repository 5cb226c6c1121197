// Finds a tensor by name; later lines add what the first did not say.
#include "parsers/log/runs/io_tensors.h"

#include <cstdint>
#include <utility>

namespace trtlens {
namespace {

// What `io` says of a tensor that is known, and was not known of it.
void complete(IoTensor& known, IoTensor& io) {
  bool open = known.tensor.dims.empty();
  for (const std::int64_t d : known.tensor.dims) open = open || d < 0;
  if (open && !io.tensor.dims.empty()) {
    known.tensor.dims = io.tensor.dims;
    known.tensor.has_dims = true;
  }
  if (known.network_dims.empty()) known.network_dims = io.network_dims;
  if (known.tensor.type == DataType::unknown) known.tensor.type = io.tensor.type;
  if (known.shapes.empty()) known.shapes = std::move(io.shapes);
}

}  // namespace

void IoTensorIndex::catch_up(const std::vector<IoTensor>& all) {
  for (; indexed_ < all.size(); ++indexed_) {
    places_.emplace(all[indexed_].tensor.name.str(), indexed_);
  }
}

IoTensor* IoTensorIndex::find(std::vector<IoTensor>& all, std::string_view name) {
  catch_up(all);
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &all[found->second];
}

void IoTensorIndex::add(std::vector<IoTensor>& all, IoTensor io) {
  if (IoTensor* known = find(all, io.tensor.name)) return complete(*known, io);
  all.push_back(std::move(io));
}

void add_io_tensors(Build& build, std::vector<IoTensor> all) {
  IoTensorIndex index;
  for (IoTensor& io : all) index.add(build.io_tensors, std::move(io));
}

}  // namespace trtlens
