// Roles and precisions of layers, by each kind of evidence.
#include "analyzers/precision/precision.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/build_maker.h"

namespace trtlens::precision_test {
namespace {

using test::conv;
using test::layer;
using test::reformat;
using test::tensor;

struct TacticCase {
  const char* name;
  Precision expected;
};

// Names that engines of TensorRT 8.4 to 8.6 and their logs hold.
constexpr TacticCase kTactics[] = {
    // Two types in the middle token: what is multiplied, and the accumulator.
    {"sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize128x64x8_stage3",
     Precision::fp32},
    {"sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_tilesize32x32x8_g1_ffma",
     Precision::fp32},
    {"sm70_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_tilesize128x16x8_g1_ffma",
     Precision::fp32},
    {"sm70_xmma_fprop_implicit_gemm_indexed_f32f32_f32f32_f32_nhwckrsc_nhwc_tilesize64x64x8",
     Precision::fp32},
    {"sm80_xmma_gemm_f32f32_f32f32_f32_nn_n_tilesize64x32x8_stage3_ffma_aligna4_alignc4",
     Precision::fp32},
    {"sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x128x16_t1r1s1",
     Precision::tf32},
    {"sm80_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nchwkrsc_nchw_tilesize128x64x16_simple",
     Precision::tf32},
    {"sm80_xmma_fprop_implicit_gemm_indexed_wo_smem_f32f32_tf32f32_f32_nhwckrsc_nhwc_alignc4",
     Precision::tf32},
    {"sm80_xmma_deconv_implicit_gemm_indexed_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize256x64x32",
     Precision::tf32},
    {"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x32x64_stage4_warpsize2x1x2_tensor16x8x8",
     Precision::tf32},
    {"sm86_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize128x64x32_stage4_tensor16x8x8",
     Precision::tf32},
    {"sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x64x32_g1",
     Precision::tf32},
    {"sm80_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x128x32_stage4",
     Precision::fp16},
    {"sm75_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize128x128x32_t1r1s1",
     Precision::fp16},
    {"sm80_xmma_fprop_implicit_gemm_indexed_wo_smem_f16f16_f16f16_f16_nhwckrsc_nhwc_alignc8",
     Precision::fp16},
    {"sm80_xmma_deconv_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_tilesize256x64x32",
     Precision::fp16},
    {"sm90_xmma_fprop_implicit_gemm_f16f16_f16f16_f16_nhwckrsc_nhwc_cgasize4x1x1_g1",
     Precision::fp16},
    {"sm80_xmma_gemm_f16f16_f16f16_f16_tn_n_tilesize32x32x64_stage6_tensor16x8x16",
     Precision::fp16},
    // FP16 tensors: multiplied in FP16 with an FP32 accumulator, or in FP32.
    {"sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize64x64x64_cgasize1x1x1_beta0", Precision::fp16},
    {"sm80_xmma_gemm_f16f16_f32f32_f32_tn_n_tilesize32x32x8_stage3_warpsize1x2x1_ffma_aligna2",
     Precision::fp32},
    {"sm80_xmma_gemm_f16f16_f32f32_f32_nn_n_tilesize64x32x8_stage3_ffma_aligna2_alignc2",
     Precision::fp32},
    {"sm80_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_nchw",
     Precision::int8},
    {"sm80_xmma_fprop_implicit_gemm_interleaved_i8f16_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_nchw",
     Precision::int8},
    {"sm80_xmma_fprop_implicit_gemm_interleaved_i8f32_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_nchw",
     Precision::int8},
    {"sm80_xmma_fprop_implicit_gemm_interleaved_indexed_i8f32_i8i32_f32_nchw_vect_c_32kcrs",
     Precision::int8},
    {"sm80_xmma_deconv_implicit_gemm_interleaved_indexed_i8i8_i8i32_f32_nchw_vect_c_32kcrs_vect_n",
     Precision::int8},
    {"sm80_xmma_fprop_first_layer_i8i8_i8i32_f32_nchw_vect_c_4kcrs_vect_c_4_nchw_vect_c_32",
     Precision::int8},
    {"sm75_xmma_fprop_implicit_gemm_indexed_wo_smem_i8i8_i8i32_f32_nhwckrsc_nhwc_aligna8_alignc4",
     Precision::int8},
    {"sm72_xmma_fprop_implicit_gemm_interleaved_i8i8_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32",
     Precision::int8},
    {"sm90_xmma_fprop_implicit_gemm_i8i8_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_no_relu",
     Precision::int8},
    {"sm90_xmma_fprop_implicit_gemm_i8f32_i8i32_f32_nchw_vect_c_32kcrs_vect_c_32_nchw_alignc4",
     Precision::int8},
    {"sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x64x32_stage4_tensor16x8x16",
     Precision::bf16},
    {"sm89_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n_tilesize128x128x64_stage3_tensor16x8x32",
     Precision::fp8},
    {"sm90_xmma_gemm_e4m3e4m3_e4m3f32_f32_tn_n_tilesize64x64x128_cgasize1x1x1", Precision::fp8},
    {"sm89_xmma_fprop_implicit_gemm_e4m3f32_e4m3f32_f32_nhwckrsc_nhwc_tilesize128x64x64",
     Precision::fp8},
    // One type in the middle token is the accumulator: the first pair multiplies.
    {"sm90_xmma_fprop_image_first_layer_f16f16_f32_f16_nhwckrsc_nhwc_hmma_k64c4r7s7_tensor1688",
     Precision::fp16},
    {"sm50_xmma_cublas_gemvx_f16f16_f32_f32_tn_n_int32_unit_n_launch_param4x32x32_strided",
     Precision::fp16},
    {"sm70_xmma_gemm_as_conv1x1_f16f16_f16_f16_tn_n_simt_small_batch_bias_relu", Precision::fp16},
    {"sm80_xmma_fprop_wngd_f16f16_f16_f16_nhwckrsc_nhwc_tilesize8x16x32x32_wngd2x2",
     Precision::fp16},
    {"sm50_xmma_fprop_conv2d_c1_k1_f16f16_f16_f16_nchwkcrs_nchw_tilesize10x10x8_r3s3_u1v1",
     Precision::fp16},
    {"sm50_xmma_fprop_conv2d_c1_k1_f32f32_f32_f32_nchwkcrs_nchw_tilesize10x10x8_r3s3_u1v1",
     Precision::fp32},
    {"sm80_xmma_fprop_wngd_f32f32_f32_f32_nchwkcrs_nchw_tilesize8x16x16x8_wngd2x2",
     Precision::fp32},
    {"sm50_xmma_cublas_gemvx_f32f32_f32_f32_nn_n_int32_unit_n_launch_param32x4x4_strided",
     Precision::fp32},
    {"sm50_xmma_cublas_smallN_NN_f32f32_f32_f32_nn_n_thread_count128threads_per_row2b",
     Precision::fp32},
    {"sm80_xmma_conv_fprop_smallk_i8i8_i32_f32_nchw_vect_c_32kcrs_vect_c_32_r1s1_u1v1",
     Precision::int8},
    {"sm80_xmma_conv_fprop_smallk_i8f16_i32_f32_nchw_vect_c_32kcrs_vect_c_32_r1s1_u1v1",
     Precision::int8},
    {"sm50_xmma_fprop_direct_group_i8i8_i32_f32_nchw_vect_c_4kcrs_vect_c_4_nchw_vect_c_4_3D",
     Precision::int8},
    // cuDNN: the word before `cudnn` counts, not what the kernel writes.
    {"ampere_h16816cudnn_128x128_ldg8_relu_exp_stages_64x3_large_nhwc_tn_v1", Precision::fp16},
    {"ampere_h1688cudnn_128x128_ldg8_relu_exp_medium_nhwc_tn_v1", Precision::fp16},
    {"ampere_fp16x2_hcudnn_winograd_fp16x2_128x128_ldg1_ldg4_relu_tile148t_nt_v1", Precision::fp16},
    {"ampere_scudnn_128x64_relu_xregs_large_nn_v1", Precision::fp32},
    {"ampere_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1", Precision::fp32},
    {"volta_scudnn_128x32_relu_medium_nn_v1", Precision::fp32},
    {"maxwell_scudnn_128x32_relu_medium_nn_v1", Precision::fp32},
    {"ampere_fp32_icudnn_int8x4_128x64_relu_medium_nn_v1", Precision::int8},
    {"ampere_int8x4_icudnn_int8x4_128x32_relu_interior_c32_nn_v1", Precision::int8},
    {"volta_fp32_icudnn_int8x4_128x32_relu_small_nn_v1", Precision::int8},
    {"turing_fp16_i8816cudnn_int8_128x128_ldg16_relu_interior_nt_v1", Precision::int8},
    {"turing_fp32_i8816cudnn_int8_128x128_ldg16_relu_small_nt_v1", Precision::int8},
    {"turing_int8_i8816cudnn_int8_128x128_ldg16_relu_small_linkable_nt_v1", Precision::int8},
    // cuBLAS and CUTLASS.
    {"ampere_h16816gemm_128x64_ldg8_relu_stages_32x6_nn_v1", Precision::fp16},
    {"ampere_hgemm_128x128_nn_v0", Precision::fp16},
    {"ampere_sgemm_32x32_sliced1x4_tn_v1", Precision::fp32},
    {"volta_fp16_sgemm_fp16_64x64_nn", Precision::fp32},  // stores FP16, multiplies in FP32
    {"turing_fp16_s1688gemm_fp16_128x128_ldg8_f2f_nn", Precision::fp16},
    {"ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x3_nn", Precision::bf16},
    {"ampere_int32_i16832gemm_int8_256x128_ldg16_stages_64x3_nt", Precision::int8},
    {"trt_turing_cutlass_image_network_first_layer_hmma_fprop_f16f16f32_nhwc_nhwc_k64r7s7c4",
     Precision::fp16},
    {"cutlass_tensorop_s1688fprop_optimized_tf32_128x128_16x4_nhwc_align4", Precision::tf32},
    // In ue4m3xe2m1 the first word is the type of the block scales.
    {"cutlass3x_sm100_bstensorop_gemm_ue4m3xe2m1_ue4m3xe2m1_f32_bf16_bf16_256x256x256",
     Precision::fp4},
    {"cutlass3x_sm100_bstensorop_gemm_ue8m0xe4m3_ue8m0xe2m1_f32_bf16_bf16_256x128x128",
     Precision::fp8},
    // Hand-written kernels.
    {"sm50_xmma_conv_fprop_fused_conv_act_fp32_NCHW_fp32_NCHW_KCRS_fp32_fp32_fp32_Accfloat_1_1",
     Precision::fp32},
    {"sm50_xmma_conv_fprop_fused_conv_act_int8_NCxHW32_int8_NCxHW32_KCRS_int8_int8_fp32_Accint32",
     Precision::int8},
    {"sm50_xmma_convolution_depthwiseHMMA_FP16NHWCx8_TR3_TS3_STRIDEH1_STRIDEW1", Precision::fp16},
    {"sm72_xmma_convolution_trt_depthwise_i8_conv_int8ncxhw32_int8ncxhw32_int8kcrs_R3_S3_U1_V1",
     Precision::int8},
    {"sm80_xmma_fprop_avdt_dense_int8int8_tilesize64x256x32_tapsperload3_r3s3_u1v1_scalebias_relu",
     Precision::int8},
    {"ampere_first_layer_filter3x3_imma_fwd", Precision::int8},
    {"sm72_xmma_convolution_depthwiseSdcrr_INT8NCxHW32_R3_S3_U1_V1_InnerLoop", Precision::int8},
    {"conv2d_grouped_direct_f32f32f32_nchw_nchw", Precision::fp32},
    {"conv2d_grouped_direct_largeK_i8i8i32_nchw_vect_c_4_nchw_vect_c_4", Precision::int8},
    {"conv2d_grouped_direct_f16f16f32_nchw_nchw", Precision::fp16},
    {"sm50_xmma_deconv_2d_stride_eq_filter_FP32FP32FP32NCHW_tilesize4x4x4", Precision::fp32},
    {"cutlass_80_wmma_tensorop_i161616gemm_s8_32x32_128x1_tn_align16", Precision::int8},
    // Fused attention: the second type is the accumulator's.
    {"fmha_v2_flash_attention_fp16_fp32_S_128_64_sm80", Precision::fp16},
    {"fmha_v2_flash_attention_bf16_S_64_sm80", Precision::bf16},
    {"fmha_v2_int8_384_64_sm80", Precision::int8},
    // cuBLASLt's own: the letters of its operands.
    {"nvjet_hsh_128x256_64x4_1x2_h_bz_coopB_TNT", Precision::fp16},
    {"nvjet_tst_192x192_64x4_1x2_h_bz_coopB_TNT", Precision::bf16},
    {"nvjet_qqtst_128x128_128x6_2x1_v_bz_TNN", Precision::fp8},
    {"nvjet_sm100_tst_96x64_64x8_2x1_2cta_v_bz_TNN", Precision::bf16},
    {"nvjet_sm103_hsh_96x128_64x4_2x1_2cta_h_bz_NNT", Precision::fp16},
    {"nvjet_sm100_qqtst_96x128_128x4_2x1_2cta_v_bz_bias_TNT", Precision::fp8},
    // CUTLASS 3: operands, accumulator, what is added, what is written.
    {"cutlass3x_sm100_tensorop_s128x96x8tf32implicit_gemm_fprop_f32_f32_f32_f32_f32_f32_128x96x32",
     Precision::tf32},
    {"cutlass3x_sm100_tensorop_s64x96x8tf32gemm_f32_f32_f32_f32_f32_64x96x32_0_tnn_align4_2sm",
     Precision::tf32},
    {"cutlass3x_sm100_tensorop_s64x96x32gemm_f8_f8_f32_f16_f16_64x96x128_0_tnn_align16_1sm",
     Precision::fp8},
    {"cutlass3x_sm90_tensorop_s64x96x16gemm_f16_f16_f32_void_f16_64x96x64_2x1x1_0_tnn_align8",
     Precision::fp16},
    {"cutlass3x_sm90_tensorop_s64x96x16gemm_bf16_bf16_f32_void_f32_64x96x64_1x1x1_0_tnn_align8",
     Precision::bf16},
    {"cutlass3x_sm90_tensorop_gemm_s8_s8_s32_s8_s8_64x96x128_1x1x1_0_tnn_align16", Precision::int8},
    {"cutlass3x_sm100_tensorop_s64x96x16gemm_fprop_f16_f16_f32_f16_f16_64x96x64_ndhwc_align8",
     Precision::fp16},
    {"cutlass3x_sm100_simt_sgemm_f32_f32_f32_f32_f32_64x96x16_1x1x1_3_tnn_align1_bias_f32_relu",
     Precision::fp32},
};

TEST(PrecisionOfTactic, ReadsRealNames) {
  static_assert(std::size(kTactics) >= 60);
  for (const TacticCase& c : kTactics) {
    const auto found = precision_of_tactic(c.name);
    ASSERT_TRUE(found) << c.name;
    EXPECT_STREQ(to_string(*found), to_string(c.expected)) << c.name;
  }
}

TEST(PrecisionOfTactic, SaysNothingOfNamesWithoutTypes) {
  for (const char* name : {"", "__myl_AddMaxrSubExpSum_0x574acd01f7517732d5f2fd1c9042a089",
                           "trt_conv_act_pool_v3_tile_rows_8_tile_cols_116", "_", "___", "f32",
                           "f8f8_q", "xmma_implicit_gemm_nhwckrsc", "nvjet_sm100_", "nvjet_sm9",
                           "cutlass3x_gemm_f16", "cutlass3x_gemm_f16_tnn_align8_x"}) {
    EXPECT_FALSE(precision_of_tactic(name)) << name;
  }
}

// The tactic decides, whatever a layer reads, writes or holds.
TEST(Verdict, TacticGoesBeforeTensorsAndWeights) {
  Layer l =
      conv("c", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), DataType::fp16, 1);
  l.tactic_name = "sm80_xmma_gemm_f16f16_f32f32_f32_tn_n_tilesize32x32x8_stage3_ffma";
  LayerVerdict v = verdict_of(l);
  EXPECT_EQ(v.compute, Precision::fp32);
  EXPECT_EQ(v.confidence, Confidence::measured);
  ASSERT_EQ(v.evidence.size(), 1U);
  EXPECT_EQ(v.evidence[0], "tactic: " + l.tactic_name.str());

  l = conv("c", {tensor("a", DataType::int8)}, tensor("b", DataType::fp32), DataType::int8, 1);
  l.tactic_name = "sm80_xmma_fprop_implicit_gemm_interleaved_i8f32_i8i32_f32_nchw_vect_c_32kcrs";
  EXPECT_EQ(verdict_of(l).compute, Precision::int8);
}

TEST(Verdict, FallsBackToWeightsThenToTheInput) {
  Layer l =
      conv("c", {tensor("a", DataType::fp32)}, tensor("b", DataType::fp32), DataType::fp16, 1);
  EXPECT_EQ(verdict_of(l).compute, Precision::fp16);
  EXPECT_EQ(verdict_of(l).confidence, Confidence::inferred);
  l.weights.reset();
  EXPECT_EQ(verdict_of(l).compute, Precision::fp32);
  EXPECT_EQ(verdict_of(l).confidence, Confidence::guessed);
  l.inputs.clear();
  EXPECT_EQ(verdict_of(l).compute, Precision::unknown);
  EXPECT_TRUE(verdict_of(l).evidence.empty());
}

TEST(Verdict, WeightOnlyQuantizationMultipliesInTheTypeOfTheActivations) {
  for (const DataType weights : {DataType::int4, DataType::fp4, DataType::int8}) {
    const Layer l =
        conv("g", {tensor("a", DataType::fp16)}, tensor("b", DataType::fp16), weights, 1);
    EXPECT_EQ(verdict_of(l).compute, Precision::fp16) << to_string(weights);
  }
  const Layer both =
      conv("g", {tensor("a", DataType::int8)}, tensor("b", DataType::int8), DataType::int8, 1);
  EXPECT_EQ(verdict_of(both).compute, Precision::int8);
}

TEST(Verdict, FusedAttentionIsArithmeticAndTheDlaARegion) {
  Layer l = layer("mha", "kgen", {tensor("a", DataType::fp16)}, {tensor("b", DataType::fp16)}, 1);
  l.tactic_name = "_gemm_mha_v2_0x574acd01f7517732d5f2fd1c9042a089";
  EXPECT_EQ(verdict_of(l).role, LayerRole::attention);
  EXPECT_EQ(verdict_of(l).compute, Precision::fp16);
  EXPECT_EQ(verdict_of(l).confidence, Confidence::guessed);
  l.tactic_name = "fmha_v2_flash_attention_bf16_S_64_sm80";
  EXPECT_EQ(verdict_of(l).compute, Precision::bf16);
  l.tactic_name = "__myl_AddMaxrSubExpSum_0x574acd01f7517732d5f2fd1c9042a089";
  EXPECT_EQ(verdict_of(l).role, LayerRole::softmax);
  const Layer dla = layer("{ForeignNode[a...b]}", "DLA", {tensor("a", DataType::fp16)},
                          {tensor("b", DataType::fp16)}, 1);
  EXPECT_EQ(verdict_of(dla).role, LayerRole::region);
  EXPECT_EQ(verdict_of(dla).compute, Precision::unknown);
  EXPECT_EQ(verdict_of(dla).evidence.at(0), "types at its border: FP16 -> FP16");
}

// The DLA has two types; what lies between them stays unknown.
TEST(Verdict, OfTheDlaIsWhatTheBorderAndTheOptionsLeave) {
  const auto verdict = [](DataType in, DataType out, std::vector<std::string> allowed) {
    Build build = test::build_of(
        {layer("{ForeignNode[a...b]}", "DLA", {tensor("a", in)}, {tensor("b", out)}, 1)});
    build.allowed.labels = std::move(allowed);
    return test::analyze_build(std::move(build)).verdicts.at(0);
  };
  const DataType h = DataType::fp16, i = DataType::int8;
  const LayerVerdict half = verdict(h, h, {"FP32", "FP16"});
  EXPECT_EQ(half.compute, Precision::fp16);
  EXPECT_EQ(half.confidence, Confidence::inferred);
  EXPECT_EQ(half.evidence.at(1), "DLA computes FP16 or INT8");
  EXPECT_EQ(verdict(i, i, {"FP32", "FP16", "INT8"}).compute, Precision::int8);
  EXPECT_EQ(verdict(h, h, {"FP32", "FP16", "INT8"}).compute, Precision::unknown);
  EXPECT_EQ(verdict(i, h, {"FP32", "FP16", "INT8"}).compute, Precision::unknown);
  EXPECT_EQ(verdict(h, h, {}).compute, Precision::unknown);
  EXPECT_EQ(verdict(h, h, {}).evidence.at(1), "DLA computes FP16 or INT8");
  EXPECT_EQ(verdict(DataType::fp32, h, {"FP32", "FP16"}).compute, Precision::unknown);
}

TEST(Verdict, WhatReadsNothingWorksOnWhatItWrites) {
  const Layer fill = layer("fill", "kgen", {}, {tensor("b", DataType::bf16)}, 1);
  EXPECT_EQ(verdict_of(fill).compute, Precision::bf16);
}

TEST(Verdict, KindsWithoutArithmeticHaveNone) {
  for (const char* type : {"Reformat", "MyelinReformat", "NoOp", "Constant", "signal", "wait",
                           "shape_call", "TrainStation"}) {
    const Layer l =
        layer("x", type, {tensor("a", DataType::fp32)}, {tensor("b", DataType::fp16)}, 1);
    EXPECT_EQ(verdict_of(l).compute, Precision::none) << type;
  }
  const Layer l = reformat("r", tensor("a", DataType::fp32), tensor("b", DataType::fp16), 1);
  EXPECT_EQ(verdict_of(l).role, LayerRole::reformat);
}

TEST(Verdict, UnfusedQuantizersAreToldByTheirTypes) {
  EXPECT_EQ(role_of(test::quantize("q", "a", "b", 1)), LayerRole::quantize);
  EXPECT_EQ(role_of(test::dequantize("d", "a", "b", 1)), LayerRole::dequantize);
  Layer scale =
      layer("s", "Scale", {tensor("a", DataType::fp32)}, {tensor("b", DataType::int8)}, 1);
  EXPECT_EQ(role_of(scale), LayerRole::quantize);  // as 8.4 EA shows them
  scale.outputs[0].type = DataType::fp32;
  EXPECT_EQ(role_of(scale), LayerRole::pointwise);
  // No types: the name.
  Layer bare = reformat("DequantizeLinear_7", Tensor(), Tensor(), 1, "QDQ");
  EXPECT_EQ(role_of(bare), LayerRole::dequantize);
  bare.name = "QuantizeLinear_7";
  EXPECT_EQ(role_of(bare), LayerRole::quantize);
}

struct RoleCase {
  const char *type, *parameter;
  LayerRole expected;
};

TEST(Verdict, RolesOfLayerTypes) {
  constexpr RoleCase kRoles[] = {
      {"CaskConvolution", "Convolution", LayerRole::convolution},
      {"CaskGemmConvolution", "Convolution", LayerRole::gemm},
      {"CaskGemmMatrixMultiply", "MatrixMultiply", LayerRole::gemm},
      {"CaskDeconvolutionV2", "Convolution", LayerRole::deconvolution},
      {"CaskConvActPool", "ConvActPool", LayerRole::convolution},
      {"CudaDepthwiseConvolution", "Convolution", LayerRole::convolution},
      {"gemm", "", LayerRole::gemm},
      {"correlation", "", LayerRole::convolution},
      {"CaskPooling", "Pooling", LayerRole::pooling},
      {"TiledPooling", "Pooling", LayerRole::pooling},
      {"PointWiseV2", "PointWise", LayerRole::pointwise},
      {"kgen", "", LayerRole::pointwise},
      {"maxpool", "", LayerRole::pooling},
      {"add", "", LayerRole::pointwise},
      {"memset", "", LayerRole::none},
      {"cjmp", "", LayerRole::none},
      {"TrainStation", "", LayerRole::none},
      {"CaskSoftMaxV2", "SoftMax", LayerRole::softmax},
      {"PluginV2", "PluginV2", LayerRole::plugin},
      {"Myelin", "", LayerRole::region},
      {"Shuffle", "Shuffle", LayerRole::shuffle},
      {"Reduce", "Reduce", LayerRole::reduction},
      {"Resize", "Resize", LayerRole::resize},
      {"SomethingNew", "", LayerRole::other},
  };
  for (const RoleCase& c : kRoles) {
    Layer l = layer("x", c.type, {}, {}, 1);
    l.parameter_type = c.parameter;
    EXPECT_STREQ(to_string(role_of(l)), to_string(c.expected)) << c.type;
  }
}

// A name alone says at most that a layer converts; its arithmetic stays unknown.
TEST(Verdict, NamesOnly) {
  EXPECT_EQ(role_of(layer("Reformatting CopyNode for Input Tensor 0 to conv", "", {}, {}, 1)),
            LayerRole::reformat);
  EXPECT_EQ(role_of(layer("QuantizeLinear_7", "", {}, {}, 1)), LayerRole::quantize);
  EXPECT_EQ(role_of(layer("w + QuantizeLinear_7 + /conv1/Conv", "", {}, {}, 1)), LayerRole::other);
  EXPECT_EQ(role_of(layer("{ForeignNode[a...b]}", "", {}, {}, 1)), LayerRole::region);
  const LayerVerdict v = verdict_of(layer("/conv1/Conv + /relu/Relu", "", {}, {}, 1));
  EXPECT_EQ(v.compute, Precision::unknown);
}

TEST(Verdict, OtherLayersWorkInTheTypeOfTheirInputs) {
  const Layer pool =
      layer("p", "CaskPooling", {tensor("a", DataType::fp16)}, {tensor("b", DataType::fp16)}, 1);
  EXPECT_EQ(verdict_of(pool).compute, Precision::fp16);
  const Layer add =
      layer("add", "PointWiseV2", {tensor("a", DataType::int8), tensor("b", DataType::fp16)},
            {tensor("c", DataType::fp16)}, 1);
  EXPECT_EQ(verdict_of(add).compute, Precision::mixed);
  const Layer region =
      layer("{ForeignNode[a...b]}", "Myelin", {tensor("a", DataType::fp32)}, {}, 1);
  EXPECT_EQ(verdict_of(region).compute, Precision::unknown);
  ASSERT_EQ(verdict_of(region).evidence.size(), 1U);
  EXPECT_EQ(verdict_of(region).evidence[0], "types at its border: FP32 -> ");
}

TEST(Precision, Widths) {
  EXPECT_EQ(width_of(Precision::tf32), 32);
  EXPECT_EQ(width_of(Precision::fp16), 16);
  EXPECT_EQ(width_of(Precision::fp8), 8);
  EXPECT_EQ(width_of(Precision::int4), 4);
  EXPECT_EQ(width_of(Precision::unknown), 0);
  EXPECT_EQ(precision_of(DataType::uint8), Precision::int8);
  EXPECT_EQ(precision_of(DataType::unknown), Precision::unknown);
}

}  // namespace
}  // namespace trtlens::precision_test
