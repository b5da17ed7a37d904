// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory as a device has it that the host may not touch: one memory, mapped twice. What is handed
// out faults at whoever reads or writes it; the stand-in itself adds `delta`.

#include <weft/types.h>

#include <cstddef>

namespace weft::sim {

class HiddenArena {
public:
    /// Zeroed.
    explicit HiddenArena(Bytes size);
    /// Takes ownership of the file's memory.
    HiddenArena(Bytes size, int file);
    ~HiddenArena();
    HiddenArena(const HiddenArena&) = delete;
    HiddenArena& operator=(const HiddenArena&) = delete;

    [[nodiscard]] void* address() const { return hidden_; }
    [[nodiscard]] Bytes size() const { return size_; }
    [[nodiscard]] int file() const { return file_; }
    [[nodiscard]] std::ptrdiff_t delta() const { return delta_; }

private:
    Bytes size_;
    int file_;
    std::byte* hidden_ = nullptr;
    std::ptrdiff_t delta_ = 0;
};

} // namespace weft::sim
