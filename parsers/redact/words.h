// The words that are TensorRT's, ONNX's or trtexec's own: the one list of what redaction leaves as
// it is, beside the words that the grammar and the rules look for.
#pragma once

#include <string_view>

namespace trtlens {

// Blanks between them. Kept wherever they stand, in names too, also with digits behind them.
extern const std::string_view kNameWords;
// Kept where they stand alone: not as a part of a name. In small letters, compared in any case.
extern const std::string_view kPlainWords;
// Of names of kernels. They say what computes and in which types; small letters.
extern const std::string_view kKernelWords;
// Stand at the end of a number.
extern const std::string_view kUnitWords;

}  // namespace trtlens
