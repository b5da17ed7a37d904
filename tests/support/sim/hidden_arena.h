// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory as a device has it that the host may not touch: one memory, mapped twice. What is handed
// out faults at whoever reads or writes it; the stand-in itself adds `delta`.

#include "device/backend.h"

#include <cstddef>
#include <functional>

namespace weft::sim {

class HiddenArena final : public Arena {
public:
    /// Zeroed. `released` is told before the memory goes.
    HiddenArena(Bytes size, std::function<void(const HiddenArena&)> released);
    ~HiddenArena() override;
    HiddenArena(const HiddenArena&) = delete;
    HiddenArena& operator=(const HiddenArena&) = delete;

    [[nodiscard]] void* address() const override { return hidden_; }
    [[nodiscard]] Bytes size() const override { return size_; }
    [[nodiscard]] std::ptrdiff_t delta() const { return delta_; }

private:
    Bytes size_;
    std::byte* hidden_ = nullptr;
    std::ptrdiff_t delta_ = 0;
    std::function<void(const HiddenArena&)> released_;
};

} // namespace weft::sim
