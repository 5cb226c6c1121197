#include "analyzers/rules/engine/plugin_homes.h"

#include <algorithm>
#include <array>

#include "parsers/model/onnx.h"

namespace trtlens::message_rules {
namespace {

struct PluginHome {
  std::string_view home;
  std::string_view names;       // as they are registered or stand in the model; blanks between
  std::string_view name_space;  // of the registry, where it is enough
};

// Where two projects have one name, both stand there. Each was seen in the project's sources or in
// a thread about it.
constexpr std::array kHomes = {
    PluginHome{"libmyplugins.so of tensorrtx, or libyolo_layer.so of tensorrt_demos",
               "YoloLayer_TRT", ""},
    PluginHome{"libmyplugins.so of tensorrtx", "Mish_TRT PRelu_TRT RpnDecode", ""},
    PluginHome{"libdecodeplugin.so of tensorrtx", "Decode_TRT", ""},
    // Without the names that tell the program anyway: its rules have that advice.
    PluginHome{"libmmdeploy_tensorrt_ops.so of MMDeploy",
               "TRTBatchedRotatedNMS TRTBatchedBEVNMS TRTBicubicInterpolate "
               "TRTInstanceNormalization GridPriorsTRT GatherTopk ScaledDotProductAttentionTRT "
               "TRTDCNv3",
               ""},
    PluginHome{"libamirstan_plugin.so of amirstan_plugin", "BatchedNMS_TRT_CUSTOM", ""},
    PluginHome{"libnvinfer_plugin_tensorrt_llm.so of TensorRT-LLM",
               "GPTAttention BertAttention GemmSwiglu LowLatencyGemm MixtureOfExperts "
               "SmoothQuantGemm WeightOnlyQuantMatmul WeightOnlyGroupwiseQuantMatmul "
               "RmsnormQuantization SelectiveScan MambaConv1d",
               "tensorrt_llm"},
    PluginHome{"libtorchtrt_plugins.so of Torch-TensorRT", "NormalizePlugin", "torch_tensorrt"},
    PluginHome{"torch2trt with its plugins (python setup.py install --plugins)",
               "interpolatetorch2trt", "torch2trt"},
    PluginHome{"the onnx-tensorrt inside the CenterNet project", "DCN DCNv2", ""},
    PluginHome{"dcn_plugin.so of dcnv2_trt, or tensorrtx's libnvinfer_plugin.so with dcnv2Plugin",
               "DCNv2_TRT", ""},
    PluginHome{"libpointpillar_core.so of CUDA-PointPillars", "PPScatterPlugin", ""},
    PluginHome{"libcustom_plugins.so of TensorRT-YOLO",
               "EfficientIdxNMS_TRT EfficientRotatedNMS_TRT", ""},
    PluginHome{"the library of odtk (retinanet-examples)",
               "RetinaNetNMS RetinaNetDecode RetinaNetDecodeRotate", ""},
    PluginHome{"libautoware_tensorrt_plugins.so of Autoware",
               "ImplicitGemm GetIndicePairsImplicitGemm SegmentCSR QuickCumsumCuda", ""},
    PluginHome{"libtensorrt_ops.so of BEVFormer_tensorrt",
               "GridSampler2DTRT GridSampler2DTRT2 GridSampler3DTRT GridSampler3DTRT2 RotateTRT "
               "RotateTRT2 MultiScaleDeformableAttnTRT MultiScaleDeformableAttnTRT2 BEVPoolV2TRT "
               "BEVPoolV2TRT2 InverseTRT ModulatedDeformableConv2dTRT QKVTRT",
               ""},
    PluginHome{"libgrid_sample_3d_plugin.so of grid-sample3d-trt-plugin", "GridSample3D", ""},
    PluginHome{"libNvInfer_edgellm_plugin.so of TensorRT-Edge-LLM",
               "Int4GroupwiseGemmPlugin ViTAttentionPlugin", ""},
    PluginHome{"libdetector.so of yolo-tensorrt", "CHUNK_TRT HARDSWISH_TRT DETECT_TRT", ""},
};

}  // namespace

std::string_view plugin_home(std::string_view name, const std::string& message) {
  const auto holds = [&](const PluginHome& one) {
    const std::string_view space = one.name_space;
    return has_name(one.names, name) ||
           (!space.empty() && (message.find("namespace " + std::string(space)) != message.npos ||
                               message.find("namespace:" + std::string(space)) != message.npos));
  };
  const auto* const found = std::ranges::find_if(kHomes, holds);
  return found == kHomes.end() ? std::string_view() : found->home;
}

}  // namespace trtlens::message_rules
