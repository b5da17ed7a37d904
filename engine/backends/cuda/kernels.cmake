# SPDX-License-Identifier: Apache-2.0
# What this folder computes. Words have a maker, <word>.cpp; kernels are sources of nvcc, which the
# tests also compile as plain C++ (tests/engine/backends/cuda).
set(weft_cuda_words copy_part flatten concat cast add bias divide exp_minus gelu log mean multiply
    relu replace scale sigmoid subtract tanh reduce_sum squares half_squares softmax
    softmax_cross_entropy mse accuracy argmax pick count_valid layer_norm
    batch_norm position_add max_pool2d average_pool2d global_average_pool embedding)
set(weft_cuda_sources copies.cpp elementwise.cpp request.cpp)
# Headers that hold code of kernels.
set(weft_cuda_headers teams.h)
set(weft_cuda_kernels batch_norm.cu box_copy.cu cast.cu channel_sums.cu embedding.cu
    layer_norm.cu losses.cu per_element.cu pooling.cu row_sums.cu softmax.cu whole_sums.cu)
