# SPDX-License-Identifier: Apache-2.0
# What this folder computes. Words have a maker, <word>.cpp; kernels are sources of nvcc, which the
# tests also compile as plain C++ (tests/engine/backends/cuda).
set(weft_cuda_words accuracy add argmax attention average_pool2d batch_norm bias cast concat conv2d
    conv2d_sets copy_part count_valid divide embedding exp_minus flatten gelu global_average_pool half_squares
    layer_norm linear linear_sets log max_pool2d mean membrane mse multiply pick position_add reduce_sum relu
    replace scale sigmoid softmax softmax_cross_entropy squares step_rule subtract tanh transfer)
set(weft_cuda_sources convolution_of.cpp copies.cpp elementwise.cpp epilogue.cpp request.cpp)
set(weft_cuda_headers teams.h)
set(weft_cuda_kernels attention.cu batch_norm.cu box_copy.cu cast.cu channel_sums.cu conv2d_sets.cu
    embedding.cu layer_norm.cu losses.cu membrane.cu per_element.cu pooling.cu product.cu row_sums.cu
    softmax.cu step_rule.cu transfer.cu whole_sums.cu)
