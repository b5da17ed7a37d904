# SPDX-License-Identifier: Apache-2.0
# What this folder computes. Words have a maker, <word>.cpp; kernels are sources of nvcc, which the
# tests also compile as plain C++ (tests/engine/backends/cuda).
set(weft_cuda_words copy_part flatten concat cast add bias divide exp_minus gelu log mean multiply
    relu replace scale sigmoid subtract tanh)
set(weft_cuda_sources copies.cpp elementwise.cpp request.cpp)
set(weft_cuda_kernels box_copy.cu cast.cu per_element.cu)
