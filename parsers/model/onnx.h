// The operators that ONNX itself and ONNX Runtime define: what else stands in a model is custom,
// and TensorRT runs it only through a plugin.
#pragma once

#include <string_view>

namespace trtlens {

// Of the domain ai.onnx, in all its versions up to opset 27; blanks between them, sorted.
// https://onnx.ai/onnx/operators/
inline constexpr std::string_view kOnnxOperators =
    "Abs Acos Acosh Add AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention "
    "AveragePool BatchNormalization Bernoulli BitCast BitShift BitwiseAnd BitwiseNot BitwiseOr "
    "BitwiseXor BlackmanWindow Cast CastLike CausalConvWithState Ceil Celu CenterCropPad Clip "
    "Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape Conv ConvInteger "
    "ConvTranspose Cos Cosh CumProd CumSum DFT DeformConv DepthToSpace DequantizeLinear Det Div "
    "Dropout DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike Flatten Floor GRU "
    "Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool "
    "Greater GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid "
    "HardSwish Hardmax Identity If ImageDecoder InstanceNormalization IsInf IsNaN LRN LSTM "
    "LayerNormalization LeakyRelu Less LessOrEqual LinearAttention Log LogSoftmax Loop "
    "LpNormalization LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean "
    "MeanVarianceNormalization MelWeightMatrix Min Mish Mod Mul Multinomial Neg "
    "NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot Optional OptionalGetElement "
    "OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear "
    "RMSNormalization RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike Range "
    "Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
    "ReduceProd ReduceSum ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence "
    "RoiAlign RotaryEmbedding Round STFT Scan Scatter ScatterElements ScatterND Selu SequenceAt "
    "SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap "
    "Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax SoftmaxCrossEntropyLoss Softplus "
    "Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat StringNormalizer "
    "StringSplit Sub Sum SwiGLU Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu "
    "Tile TopK Transpose Trilu Unique Unsqueeze Upsample Where Xor";

// Of ONNX Runtime's domain com.microsoft, which its optimizer and its quantizer write; no other
// program runs them. Names that ONNX has, too, are left out.
// https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
inline constexpr std::string_view kOnnxRuntimeOperators =
    "BeamSearch BiasAdd BiasGelu BiasSoftmax BiasSplitGelu DecoderAttention "
    "DecoderMaskedMultiHeadAttention DecoderMaskedSelfAttention DynamicQuantizeLSTM "
    "DynamicQuantizeMatMul EmbedLayerNormalization FastGelu FusedConv FusedGemm FusedMatMul "
    "GatedRelativePositionBias GreedySearch GroupQueryAttention Irfft LongformerAttention "
    "MatMulBnb4 MatMulIntegerToFloat MatMulNBits MultiHeadAttention NGramRepeatBlock NhwcConv "
    "NhwcMaxPool PackedAttention PackedMultiHeadAttention QAttention QEmbedLayerNormalization "
    "QGemm QLinearAdd QLinearAveragePool QLinearConcat QLinearGlobalAveragePool "
    "QLinearLeakyRelu QLinearMul QLinearReduceMean QLinearSigmoid QLinearSoftmax QuickGelu "
    "RelativePositionBias RemovePadding RestorePadding Rfft SkipGroupNorm "
    "SkipLayerNormalization SkipSimplifiedLayerNormalization SparseAttention TransposeMatMul";

// Whether a list of names with blanks between them has this one.
[[nodiscard]] bool has_name(std::string_view list, std::string_view name);

[[nodiscard]] bool is_onnx_operator(std::string_view name);
[[nodiscard]] bool is_onnxruntime_operator(std::string_view name);

}  // namespace trtlens
