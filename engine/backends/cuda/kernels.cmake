# SPDX-License-Identifier: Apache-2.0
# Contents of this folder. Each word has a maker, <word>.cpp; kernels are CUDA sources that the
# tests also compile as plain C++ (tests/engine/backends/cuda). Library plans come first.
set(weft_cuda_words cudnn/planned_conv2d cublaslt/library_linear chain moves/copy_part moves/flatten moves/concat
    unary/cast binary/add binary/bias binary/pairs norms/exp_minus unary/activations unary/arithmetic reduce/mean
    moves/replace unary/scale reduce/reduce_sum
    optimizers/squares sparse/half_squares norms/softmax
    losses/softmax_cross_entropy losses/mse losses/accuracy reduce/argmax lookup/pick losses/count_valid
    norms/layer_norm
    norms/batch_norm lookup/position_add windows/max_pool2d windows/average_pool2d windows/global_average_pool
    lookup/embedding
    unary/dropout optimizers/sgd optimizers/adam optimizers/rmsprop
    products/linear products/linear_sets windows/conv2d windows/conv2d_sets binary/bias_sets attention/attention
    sparse/transfer sparse/membrane sparse/step_rule sparse/hebb moves/repeat)
set(weft_cuda_sources runtime/chip_sheet.cpp moves/copies.cpp unary/drawn.cpp elementwise.cpp request.cpp
    windows/convolution_of.cpp products/epilogue.cpp cudnn/halved.cpp cublaslt/library_equals.cpp
    cublaslt/library_product.cpp products/linear_of.cpp cudnn/plan_table.cpp cudnn/planned.cpp
    rounding.cpp)
# Headers with device code.
set(weft_cuda_headers kernels/fast_division.h kernels/bf16_numbers.h kernels/packs.h kernels/teams.h
    attention/attention_parts.h products/convolution_views.h products/matrix_views.h)
set(weft_cuda_kernels norms/batch_norm.cu kernels/box_copy.cu unary/cast.cu kernels/channel_sums.cu
    kernels/draws.cu lookup/embedding.cu
    products/bf16.cu norms/layer_norm.cu losses/losses.cu windows/max_pool.cu kernels/per_element.cu
    windows/pooling.cu kernels/row_sums.cu norms/softmax.cu optimizers/squares.cu optimizers/updates.cu reduce/reduce.cu
    kernels/whole_sums.cu
    attention/attention.cu attention/attention_rounded.cu binary/bias_sets.cu windows/conv2d_sets.cu sparse/hebb.cu
    sparse/membrane.cu products/product.cu sparse/step_rule.cu
    sparse/transfer.cu)
