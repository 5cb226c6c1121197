// What a layer's name and its Metadata say about the ONNX nodes in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/model/layers.h"
#include "parsers/model/shared_value.h"

namespace trtlens {

// ONNX nodes of `Metadata`: "[ONNX Layer: a]\x1e[ONNX Layer: b]" -> a, b. In order, each once.
[[nodiscard]] std::vector<SharedText> onnx_nodes_of_metadata(std::string_view metadata);

// X of `Reformatting CopyNode for Input Tensor 0 to X`, `Reformatted Output Tensor 1 to X`,
// `… for Network Input x` and `X input reformatter 0` (7.x); empty for any other name.
[[nodiscard]] std::string reformat_target(const std::string& name);

// N of Myelin's suffix "_mylN_M", a number of its own for every region; empty when there is none.
[[nodiscard]] std::string_view myelin_graph_of_name(std::string_view name);
// Whether Myelin made the name up: "__myl_Move_myl0_1", "__mye1085_myl0_0".
[[nodiscard]] bool is_myelin_name(std::string_view name);

// N of "[profile N]", which may stand before a Myelin suffix; 0 when there is none.
[[nodiscard]] int opt_profile_of_name(const std::string& name);

}  // namespace trtlens
