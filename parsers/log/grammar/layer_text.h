// Layers as text: the one-line form of the inspector and `Layer(TYPE): …` of the verbose builder
// log.
#pragma once

#include <string_view>
#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

class RunBuilder;

// "{ Name: x, Location: Device, Dimensions: [1,28], Format/Datatype: Float }, { … }"
[[nodiscard]] std::vector<Tensor> tensors_of_oneline(RunBuilder& b, std::string_view text);
// "x:0[Float(-2,1,28,28)], y (Half[-1,32:8,14,14])": both spellings, ≤ 8.4 and 8.5+.
[[nodiscard]] std::vector<Tensor> tensors_of_layer_line(RunBuilder& b, std::string_view text);
// What follows the outputs of a one-line layer: ", ParameterType: Convolution, …, Metadata: …".
void read_oneline_attributes(std::string_view text, Layer& layer);

}  // namespace trtlens
