// SPDX-License-Identifier: Apache-2.0
#include "emulated.h"

#include "backends/backends.h"
#include "device/settled_formats.h"
#include "rounded_cases.h"
#include <weft/error.h>

#include <algorithm>

namespace weft::cuda {
void fill(KernelList& list);
std::map<Precision, KernelList> roundingKernels();
} // namespace weft::cuda

namespace weft::test {

namespace {

/// A device of the reference backend, whose memory is the host's, with the kernels of cuda.
Backend emulatedBackend() {
    BackendList backends;
    backends::fill(backends);
    const Backend* reference = backends.find("reference");
    ensure(reference != nullptr, "the tests have the reference backend to compare with");
    Backend backend = *reference;
    backend.kernels = {};
    cuda::fill(backend.kernels);
    for (const auto& [precision, list] : cuda::roundingKernels()) {
        for (const std::string& op : list.ops()) {
            for (const KernelMaker& maker : list.ownOf(op)) {
                backend.kernels.add({.op = rounded(op, precision),
                                     .implementation = maker.implementation,
                                     .choose = maker.choose,
                                     .takesBf16 = maker.takesBf16});
            }
        }
    }
    return backend;
}

/// A sanitizer looks through a stack at each turn of the threads: it is asked for less.
constexpr bool isSanitized = WEFT_ONE_ORDER != 0;

/// True for attention with few scores, which are enough to test odd addresses.
bool hasFewScores(const KernelCase& one) {
    constexpr std::int64_t few = 2000;
    return one.local.inputs[0].shape[2] * one.local.inputs[1].shape[2] < few;
}

/// Ops that our own kernels round, requested like the catalogue's op. (Ops that the library rounds
/// have cases of their own with numbers that are exact in half precision.)
struct RoundedOp {
    std::string op;
    Precision precision;
};
std::map<std::string, RoundedOp> ownRounded() {
    std::map<std::string, RoundedOp> all;
    for (const Precision precision : {Precision::tf32, Precision::bf16}) {
        for (const char* op : {"attention", "attention_dq", "attention_dk", "attention_dv"}) {
            all[rounded(op, precision)] = {op, precision};
        }
    }
    return all;
}

/// Channels-last for all maps; none where an op has no maps.
std::vector<Format> channelsLastFor(const KernelCase& one) {
    std::vector<Format> formats;
    bool hasMaps = false;
    for (const TensorPart& part : one.local.inputs) {
        const bool isMap = part.shape.size() == 4 && isFloating(part.dtype);
        formats.push_back({isMap ? "acdb" : ""});
        hasMaps = hasMaps || isMap;
    }
    return hasMaps ? formats : std::vector<Format>{};
}

/// As asked first, and on addresses that are no multiple of 16.
std::vector<RunOptions> plainWays() {
    const RunOptions first{.randomKey = KernelCases::randomKey};
    RunOptions odd = first;
    odd.shift = 8;
    return {first, odd};
}

/// And with operands in each order in which they are offered, and fixed in none.
std::vector<RunOptions> waysBeside(const CaseBeside& one) {
    std::vector<RunOptions> ways = plainWays();
    const RunOptions first = ways.front();
    for (const std::vector<Format>& formats : one.offered) {
        ways.push_back(first);
        ways.back().formats = formats;
    }
    if (!one.offered.empty()) {
        ways.push_back(first);
        ways.back().mayChooseFormats = false;
    }
    return ways;
}

/// The ways in which each case of the catalogue is asked.
std::vector<RunOptions> waysOf(const Op& op, const KernelCase& one) {
    std::vector<RunOptions> ways = plainWays();
    const RunOptions first = ways.front();
    for (const InPlacePair& pair : op.inPlace) {
        if (one.local.inputs[pair.input].elements() == one.local.outputs[pair.output].elements()) {
            ways.push_back(first);
            ways.back().inPlace = {pair};
        }
    }
    const auto formats = channelsLastFor(one);
    for (const bool mayChoose : {true, false}) {
        if (!formats.empty()) {
            ways.push_back(first);
            ways.back().formats = formats;
            ways.back().mayChooseFormats = mayChoose;
        }
    }
    return ways;
}

/// Values of two formats share no buffer.
bool canShare(const KernelChoice& choice, const RunOptions& options) {
    const auto formatAt = [](const std::vector<Format>& formats, std::size_t k) {
        return k < formats.size() ? formats[k] : Format{};
    };
    return std::ranges::all_of(options.inPlace, [&](const auto& pair) {
        return formatAt(choice.inputFormats, pair.input) ==
               formatAt(choice.outputFormats, pair.output);
    });
}

/// The choice of a kernel that tells of its memory.
KernelChoice watched(const KernelRequest& request, KernelChoice choice, const MemoryWatch& watch) {
    const auto bytes = [](const TensorPart& part, const std::vector<Format>& formats,
                          std::size_t k) {
        const Format& format = k < formats.size() ? formats[k] : part.format;
        return static_cast<std::size_t>(bytesIn(format, part.dtype, part.shape).count);
    };
    choice.make = [=, make = choice.make, scratch = choice.scratch, inputs = choice.inputFormats,
                   outputs = choice.outputFormats] {
        const std::shared_ptr<Kernel> kernel = make();
        return makeKernel([=](const KernelArguments& arguments) {
            for (std::size_t k = 0; k < arguments.inputs.size(); ++k) {
                watch.owns(arguments.inputs[k], bytes(request.inputs[k], inputs, k));
            }
            for (std::size_t k = 0; k < arguments.outputs.size(); ++k) {
                watch.owns(arguments.outputs[k], bytes(request.outputs[k], outputs, k));
            }
            watch.owns(arguments.scratch, static_cast<std::size_t>(scratch.count));
            kernel->run(arguments);
            watch.ends();
        });
    };
    return choice;
}

} // namespace

EmulatedCuda::EmulatedCuda(MemoryWatch watch)
    : watch_(std::move(watch)), device_(emulatedBackend(), "reference:0", 1) {}

std::vector<std::string> EmulatedCuda::ops() const {
    std::vector<std::string> names;
    for (const Op* op : cases_.ops().all()) {
        if (!op->bodied && !device_.kernels().ownOf(op->name).empty()) {
            names.push_back(op->name);
        }
    }
    for (const auto& [op, cases] : beside_) {
        if (!device_.kernels().ownOf(op).empty()) {
            names.push_back(op);
        }
    }
    for (const auto& [name, of] : ownRounded()) {
        names.push_back(name);
    }
    return names;
}

std::string EmulatedCuda::faultOf(const KernelMaker& maker, const CaseBeside& one,
                                  RunOptions options) {
    const KernelCase& held = one.held;
    KernelRequest request =
        requestOf(maker.op, held.attributes, held.local.inputs, held.local.outputs, options);
    request.body = one.body;
    ChoiceOrRefusal choice = maker.choose(request);
    if (!choice || !canShare(*choice, options)) {
        return choice || !choice.error().reason.empty() ? "" : "refuses without a reason";
    }
    ++compared_;
    if (watch_.owns) {
        choice = watched(request, *choice, watch_);
    }
    try {
        const auto y = device_.run(request, *choice, held.local.numbers, options);
        options.fill = std::byte{0x3C};
        return faultIn(held, y, device_.run(request, *choice, held.local.numbers, options),
                       one.precision);
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::vector<EmulatedCuda::Asked> EmulatedCuda::askedOf(const std::string& op) {
    std::vector<Asked> all;
    if (const auto beside = beside_.find(op); beside != beside_.end()) {
        for (const CaseBeside& one : beside->second) {
            std::vector<RunOptions> ways = waysBeside(one);
            constexpr std::size_t fewWays = 3;
            ways.resize(isSanitized ? std::min(fewWays, ways.size()) : ways.size());
            all.push_back({one, std::move(ways)});
        }
        return all;
    }
    const bool takesBf16 =
        std::ranges::any_of(device_.kernels().ownOf(op), &KernelMaker::takesBf16);
    const auto own = ownRounded();
    const auto rounded = own.find(op);
    const std::string& catalogued = rounded == own.end() ? op : rounded->second.op;
    for (const KernelCase& one : cases_.of(catalogued)) {
        if (rounded == own.end()) {
            all.push_back({{one}, waysOf(cases_.ops().at(op), one)});
            if (takesBf16 && (!isSanitized || one.isWhole)) {
                all.push_back(keptAsBf16(cases_.ops().at(op), one));
            }
        } else if (!isSanitized || (one.isWhole && hasFewScores(one))) {
            std::vector<RunOptions> ways = plainWays();
            ways.resize(!isSanitized && hasFewScores(one) ? ways.size() : 1);
            all.push_back({{.held = one, .precision = rounded->second.precision}, std::move(ways)});
        }
    }
    return all;
}

EmulatedCuda::Asked EmulatedCuda::keptAsBf16(const Op& op, const KernelCase& one) {
    HalvedCase inBf16 = test::keptAsBf16(reference_, op.name, one);
    Asked asked{.one = {.held = std::move(inBf16.held), .precision = Precision::bf16},
                .ways = {plainWays().front()},
                .isOfBf16 = true};
    asked.ways.front().formats = std::move(inBf16.formats);
    if (!isSanitized) { // on addresses where no four bf16 numbers begin, and no i64
        asked.ways.push_back(asked.ways.front());
        asked.ways.back().shift = 4;
    }
    return asked;
}

std::string EmulatedCuda::faultOf(const std::string& op, simt::Order order) {
    simt::schedule(order);
    for (const auto& [one, ways, isOfBf16] : askedOf(op)) {
        for (const KernelMaker& maker : device_.kernels().ownOf(op)) {
            if (isOfBf16 && !maker.takesBf16) {
                continue;
            }
            for (const RunOptions& options : ways) {
                const std::string fault = faultOf(maker, one, options);
                if (!fault.empty()) {
                    return one.held.local.name + ": " + fault;
                }
            }
        }
    }
    return {};
}

} // namespace weft::test
