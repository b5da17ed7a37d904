# SPDX-License-Identifier: Apache-2.0
set(weft_nccl_sources communicator.cpp room.cpp)
