# SPDX-License-Identifier: Apache-2.0
# Contents of this folder. Each word has a maker, <word>.cpp; kernels are CUDA sources that the
# tests also compile as plain C++ (tests/engine/backends/cuda). Library plans come first.
set(weft_cuda_words planned_conv2d library_linear chain copy_part flatten concat cast add bias divide exp_minus gelu log mean multiply
    relu replace scale sigmoid subtract tanh reduce_sum squares half_squares softmax
    softmax_cross_entropy mse accuracy argmax pick count_valid layer_norm
    batch_norm position_add max_pool2d average_pool2d global_average_pool embedding
    dropout sgd adam rmsprop
    linear linear_sets conv2d conv2d_sets bias_sets attention
    transfer membrane step_rule hebb repeat)
set(weft_cuda_sources chip_sheet.cpp copies.cpp drawn.cpp elementwise.cpp request.cpp
    convolution_of.cpp epilogue.cpp halved.cpp library_equals.cpp library_product.cpp linear_of.cpp plan_table.cpp planned.cpp
    rounding.cpp)
# Headers with device code.
set(weft_cuda_headers fast_division.h half_numbers.h packs.h teams.h attention_parts.h convolution_views.h matrix_views.h)
set(weft_cuda_kernels batch_norm.cu box_copy.cu cast.cu channel_sums.cu draws.cu embedding.cu
    halves.cu layer_norm.cu losses.cu max_pool.cu per_element.cu pooling.cu row_sums.cu softmax.cu squares.cu updates.cu whole_sums.cu
    attention.cu attention_rounded.cu bias_sets.cu conv2d_sets.cu hebb.cu membrane.cu product.cu step_rule.cu
    transfer.cu)
