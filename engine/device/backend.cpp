// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include <weft/error.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>

namespace weft {

std::int64_t nowNanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

std::int64_t Stream::now() const { return nowNanoseconds(); }

void Stream::copyIn(void* device, const void* host, Bytes size) {
    std::memcpy(device, host, static_cast<std::size_t>(size.count));
}

void Stream::copyOut(void* host, const void* device, Bytes size) {
    std::memcpy(host, device, static_cast<std::size_t>(size.count));
}

void Stream::copyBox(const BoxCopy& box, std::size_t elementSize, const void* from, void* to) {
    weft::copyBox(box, elementSize, from, to);
}

void Device::place(void* device, const void* ahead, Bytes size) {
    std::memcpy(device, ahead, static_cast<std::size_t>(size.count));
}

double flopsPerSecondIn(Precision precision, const DeviceSheet& sheet) {
    switch (precision) {
    case Precision::tf32: return sheet.tf32FlopsPerSecond;
    case Precision::bf16: return sheet.bf16FlopsPerSecond;
    case Precision::exact: break;
    }
    return sheet.flopsPerSecond;
}

std::string whyNotRounded(Precision precision, const Backend& backend, const DeviceSheet& sheet) {
    const KernelList none;
    const auto found = backend.rounding.find(precision);
    const KernelList& makers = found == backend.rounding.end() ? none : found->second;
    std::string why = makers.whyNone(sheet.isPresent);
    if (!why.empty() || flopsPerSecondIn(precision, sheet) > 0) {
        return why;
    }
    return sheet.flopsPerSecond > 0
               ? "the device has no hardware for that precision"
               : "the device model is unknown: set a data sheet for the device";
}

bool hasMatchingPlans(const DeviceSheet& sheet) {
    const MeasuredPlans& plans = sheet.plans;
    return !plans.best.empty() && plans.model == sheet.model && plans.library == sheet.library;
}

ChipKind chipKindOf(const DeviceSheet& sheet) {
    return {.generation = sheet.generation,
            .library = sheet.library,
            .plans = hasMatchingPlans(sheet) ? std::make_shared<const PlansByName>(sheet.plans.best)
                                             : nullptr};
}

std::string backendOf(const std::string& device) { return device.substr(0, device.find(':')); }

int chipNumber(const std::string& device, std::string_view backend) {
    const auto numberIn = [](std::string_view text) {
        int number = -1;
        const char* const end = text.data() + text.size();
        return std::from_chars(text.data(), end, number).ptr == end ? number : -1;
    };
    const std::string chip = chipOf(device);
    const bool isWhole = chip.size() == device.size();
    if (backendOf(chip) != backend || chip.size() <= backend.size() ||
        (!isWhole && numberIn(std::string_view(device).substr(chip.size() + 1)) < 0)) {
        return -1;
    }
    return numberIn(std::string_view(chip).substr(backend.size() + 1));
}

std::string chipOf(const std::string& device) { return device.substr(0, device.find('/')); }

void BackendList::add(Backend backend) {
    ensure(find(backend.name) == nullptr, "every backend has a unique name");
    backends_.push_back(std::move(backend));
}

const Backend* BackendList::find(std::string_view name) const {
    const auto found = std::ranges::find(backends_, name, &Backend::name);
    return found == backends_.end() ? nullptr : &*found;
}

} // namespace weft
