// SPDX-License-Identifier: Apache-2.0
#include "support/fed_pool.h"

#include "base/philox.h"
#include "run/execute/slot_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

namespace weft::test {

namespace {

double argumentNumber(const std::string& name, int step) {
    if (name == "step") {
        return step + 1;
    }
    return name == "learning_rate" ? 0.05 : 1.0;
}

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t at, T number) {
    std::memcpy(bytes.data() + at * sizeof(T), &number, sizeof(T));
}

void putAs(DType dtype, std::vector<std::byte>& bytes, std::size_t at, double number) {
    switch (dtype) {
    case DType::f32: put(bytes, at, static_cast<float>(number)); break;
    case DType::f64: put(bytes, at, number); break;
    case DType::i64: put(bytes, at, static_cast<std::int64_t>(number)); break;
    default: put(bytes, at, static_cast<std::int32_t>(number)); break;
    }
}

/// One feed of one step, whole.
std::vector<std::byte> drawFeed(const Feed& feed, const Value& value, int step,
                                const Below& below) {
    const auto count = static_cast<std::size_t>(elementsOf(value.shape));
    std::vector<std::byte> bytes(count * byteSize(value.dtype));
    const Philox philox({.seed = 7, .origin = {}, .role = feed.name, .step = step});
    const auto limit = static_cast<std::uint64_t>(
        isFloating(value.dtype) || feed.kind == FeedKind::argument ? 1 : below(feed.name));
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t element = k;
        const double number = feed.kind == FeedKind::argument ? argumentNumber(feed.name, step)
                              : isFloating(value.dtype)
                                  ? static_cast<double>(philox.normal(element))
                                  : static_cast<double>(philox.below(element, limit));
        putAs(value.dtype, bytes, k, number);
    }
    return bytes;
}

/// Copies between a whole tensor and a part, row by row.
template <class Copy>
void forEachElement(const TensorPart& part, const Copy& copy) {
    Shape index(part.shape.size(), 0);
    for (std::int64_t n = 0; n < part.elements(); ++n) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < index.size(); ++k) {
            at = at * part.whole[k] + index[k] + part.begin[k];
        }
        copy(static_cast<std::size_t>(at), static_cast<std::size_t>(n));
        for (std::size_t k = index.size(); k-- > 0;) {
            if (++index[k] < part.shape[k]) {
                break;
            }
            index[k] = 0;
        }
    }
}

double numberAt(DType dtype, const std::vector<std::byte>& bytes, std::size_t at) {
    if (dtype == DType::f64) {
        double number = 0;
        std::memcpy(&number, bytes.data() + at * sizeof(number), sizeof(number));
        return number;
    }
    float number = 0;
    std::memcpy(&number, bytes.data() + at * sizeof(number), sizeof(number));
    return static_cast<double>(number);
}

} // namespace

std::vector<LocalDevice> openDevices(const BackendList& backends, std::size_t count,
                                     const std::string& backend, int cores) {
    std::vector<LocalDevice> devices;
    for (std::size_t k = 0; k < count; ++k) {
        const std::string name = backend + ":" + std::to_string(k);
        const Backend* found = backends.find(backend);
        devices.push_back({DeviceId{static_cast<std::uint32_t>(k)}, name, found,
                           found->open(name, cores), cores});
    }
    return devices;
}

void feed(WorkerPool& pool, std::size_t member, const Graph& graph, int step, const Below& below) {
    for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
        const std::vector<std::byte> whole =
            drawFeed(graph.feeds[f], graph.at(graph.feeds[f].value), step, below);
        for (std::size_t w = 0; w < pool.size(); ++w) {
            const ProgramPort& port = pool.program(w, member).program().feeds[f];
            if (!port.isHeld) {
                continue;
            }
            const std::size_t size = byteSize(port.part.dtype);
            std::vector<std::byte> part(static_cast<std::size_t>(port.part.elements()) * size);
            forEachElement(port.part, [&](std::size_t at, std::size_t in) {
                std::memcpy(part.data() + in * size, whole.data() + at * size, size);
            });
            pool.copyIn(w, member, port.buffer, part.data());
        }
    }
}

std::vector<double> gather(const WorkerPool& pool, const Graph& graph, std::size_t slot,
                           std::vector<double> whole) {
    whole.resize(static_cast<std::size_t>(elementsOf(graph.slots[slot].shape)), NAN);
    const Plan& plan = *pool.program(0, 0).program().plan;
    const SlotId id{static_cast<std::uint32_t>(slot)};
    const std::size_t count = shareCountOf(plan, id);
    // Partial sums of the devices in this process.
    std::map<std::size_t, std::vector<double>> shares;
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const SlotBuffer& held = pool.program(w, 0).program().slots[slot];
        if (!held.isHeld) {
            continue;
        }
        std::vector<double>& share =
            shares.try_emplace(shareIndexOf(plan, id, pool.device(w).id), whole).first->second;
        std::vector<std::byte> part(static_cast<std::size_t>(held.part.elements()) *
                                    byteSize(held.part.dtype));
        pool.readSlot(w, slot, part.data());
        forEachElement(held.part, [&](std::size_t at, std::size_t in) {
            share[at] = numberAt(held.part.dtype, part, in);
        });
    }
    if (shares.size() < count) {
        return whole;
    }
    for (std::size_t share = 1; share < count; ++share) {
        std::ranges::transform(shares[0], shares[share], shares[0].begin(), std::plus());
    }
    return shares[0];
}

double numberOf(const WorkerPool& pool, std::size_t member, std::size_t result) {
    for (std::size_t w = 0; w < pool.size(); ++w) {
        const ProgramPort& port = pool.program(w, member).program().results[result];
        if (!port.isHeld || port.part.elements() != 1) {
            continue;
        }
        std::vector<std::byte> bytes(byteSize(port.part.dtype));
        pool.copyOut(w, member, port.buffer, bytes.data());
        return numberAt(port.part.dtype, bytes, 0);
    }
    return NAN;
}

double lossOf(const WorkerPool& pool, std::size_t member, const Graph& graph) {
    for (std::size_t r = 0; r < graph.results.size(); ++r) {
        if (graph.results[r].kind == ResultKind::total ||
            graph.results[r].kind == ResultKind::loss) {
            return numberOf(pool, member, r);
        }
    }
    return NAN;
}

} // namespace weft::test
