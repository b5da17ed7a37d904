// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operands in a device's memory for timing kernels. Their contents are arbitrary and not
// initialised.

#include "device/backend.h"

#include <memory>
#include <vector>

namespace weft {

class TrialOperands {
public:
    TrialOperands(const std::vector<Bytes>& inputs, const std::vector<Bytes>& outputs,
                  Bytes scratch, Device& device)
        : device_(device) {
        for (const Bytes size : inputs) {
            inputs_.push_back(allocate(size));
        }
        for (const Bytes size : outputs) {
            outputs_.push_back(allocate(size));
        }
        scratch_ = allocate(scratch);
    }
    [[nodiscard]] KernelArguments arguments(Stream& stream) const {
        return {inputs_, outputs_, scratch_, &stream};
    }

private:
    void* allocate(Bytes size) {
        arenas_.push_back(device_.allocate(size));
        return arenas_.back()->address();
    }

    Device& device_;
    std::vector<std::unique_ptr<Arena>> arenas_;
    std::vector<const void*> inputs_;
    std::vector<void*> outputs_;
    void* scratch_ = nullptr;
};

} // namespace weft
