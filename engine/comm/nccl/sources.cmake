# SPDX-License-Identifier: Apache-2.0
set(weft_nccl_sources nccl_handle.cpp communicator.cpp)
