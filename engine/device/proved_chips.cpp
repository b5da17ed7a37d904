// SPDX-License-Identifier: Apache-2.0
#include "device/proved_chips.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft {

namespace {

constexpr std::array rows{
    ProvedChip{"cuda", "NVIDIA H200", "9.0", "2026-11-27", "67dcc688",
               "driver 580.159, CUDA 13.0, cuDNN 9.19"},
    ProvedChip{"cuda", "NVIDIA H100 80GB HBM3", "9.0", "2026-11-27", "905d395d",
               "driver 580.159, CUDA 13.0, cuDNN 9.19, cuBLASLt 13.1"},
};

} // namespace

std::span<const ProvedChip> provedChips() { return rows; }

std::string provedChipsOf(std::string_view backend) {
    std::string text;
    for (const ProvedChip& chip : rows) {
        if (chip.backend == backend) {
            text += fmt::format("{}{} ({}) on {}", text.empty() ? "" : ", ", chip.model,
                                chip.generation, chip.date);
        }
    }
    return text;
}

std::string proofOn(const DeviceSheet& sheet) {
    const auto own = std::ranges::find_if(rows, [&](const ProvedChip& chip) {
        return chip.backend == sheet.backend && chip.model == sheet.model;
    });
    if (own != rows.end()) {
        return fmt::format("verified on {} on {}, revision {} with {}", own->model, own->date,
                           own->revision, own->versions);
    }
    const std::string others = provedChipsOf(sheet.backend);
    return others.empty() ? std::string()
                          : fmt::format("not verified on {}, but on {}",
                                        sheet.model.empty() ? "this chip" : sheet.model, others);
}

} // namespace weft
