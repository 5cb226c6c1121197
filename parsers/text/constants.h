// The constants that Myelin lists beside the inputs of a layer, in the layer info of 11.x and
// TensorRT-RTX.
#pragma once

#include <vector>

#include "parsers/model/build.h"

namespace trtlens {

// The one whose shape fits the inputs and outputs of a convolution or matrix product becomes its
// weights, and tells its kernel and groups. Other layers, and layers whose weights are known, stay
// as they are.
void take_constants(Layer& layer, const std::vector<Tensor>& constants);

}  // namespace trtlens
