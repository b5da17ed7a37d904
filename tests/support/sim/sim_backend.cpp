// SPDX-License-Identifier: Apache-2.0
#include "support/sim/sim_backend.h"

#include "backends/cuda/cudnn/planned.h"
#include "backends/cuda/cudnn/plans.h"
#include "backends/cuda/runtime/device.h"
#include "device/kept_rates.h"
#include "device/library_calls.h"
#include "device/published_links.h"
#include "support/sim/chip.h"
#include "support/sim/chip_time.h"
#include <weft/error.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace weft {

Backend cpuBackend();

namespace cuda {
void fill(KernelList& list);
}

} // namespace weft

namespace weft::sim {

namespace {

/// Bytes that a kernel touches, by operand and result.
struct Sizes {
    std::vector<std::int64_t> inputs;
    std::vector<std::int64_t> outputs;
    std::int64_t scratch = 0;
};

std::vector<std::int64_t> sizesOf(const std::vector<TensorPart>& parts,
                                  const std::vector<Format>& formats, bool asOffered) {
    std::vector<std::int64_t> sizes;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const Format offered = asOffered ? parts[k].format : Format{};
        const Format& format = k < formats.size() ? formats[k] : offered;
        sizes.push_back(bytesIn(format, parts[k].dtype, parts[k].shape).count);
    }
    return sizes;
}

/// A kernel that computes when it is called, enqueued with all that it touches.
class LaterKernel final : public Kernel, public LibraryKernel {
public:
    LaterKernel(std::string name, std::unique_ptr<Kernel> kernel, Sizes sizes)
        : name_(std::move(name)), kernel_(std::move(kernel)), sizes_(std::move(sizes)) {}

    void addCalls(std::vector<std::string>& calls) const override {
        calls = libraryCallsOf(*kernel_);
    }

    void run(const KernelArguments& arguments) override {
        ensure(arguments.stream != nullptr, "a kernel of the stand-in stands in a stream of it");
        ChipStream& behind = streamBehind(arguments.stream->handle());
        std::vector<Use> uses{{arguments.scratch, sizes_.scratch, true}};
        std::vector<const void*> inputs;
        for (std::size_t k = 0; k < arguments.inputs.size(); ++k) {
            uses.push_back({arguments.inputs[k], sizes_.inputs[k], false});
            inputs.push_back(behind.chip->behind(arguments.inputs[k]));
        }
        std::vector<void*> outputs;
        for (std::size_t k = 0; k < arguments.outputs.size(); ++k) {
            uses.push_back({arguments.outputs[k], sizes_.outputs[k], true});
            outputs.push_back(behind.chip->behind(arguments.outputs[k]));
        }
        behind.enqueue(name_, std::move(uses),
                       [this, inputs = std::move(inputs), outputs = std::move(outputs),
                        scratch = behind.chip->behind(arguments.scratch),
                        predicted = arguments.predicted] {
                           kernel_->run({inputs, outputs, scratch, nullptr, predicted});
                       });
    }

private:
    std::string name_;
    std::unique_ptr<Kernel> kernel_;
    Sizes sizes_;
};

/// Our own kernel as one of several ways, which takes what is prescribed for it.
class TimedKernel final : public Kernel {
public:
    TimedKernel(std::unique_ptr<Kernel> kernel, std::int64_t nanoseconds)
        : kernel_(std::move(kernel)), nanoseconds_(nanoseconds) {}

    void run(const KernelArguments& arguments) override {
        advanceTime(nanoseconds_);
        kernel_->run(arguments);
    }

private:
    std::unique_ptr<Kernel> kernel_;
    std::int64_t nanoseconds_;
};

ChoiceOrRefusal chosen(const KernelMaker& maker, const KernelRequest& request) {
    ChoiceOrRefusal choice = maker.choose(request);
    if (choice) {
        Sizes sizes{sizesOf(request.inputs, choice->inputFormats, true),
                    sizesOf(request.outputs, choice->outputFormats, false), choice->scratch.count};
        choice->make = [make = std::move(choice->make), name = request.op, sizes] {
            return std::make_unique<LaterKernel>(name, make(), sizes);
        };
        if (choice->ways) {
            sizes.scratch = choice->ways->scratch.count;
            choice->ways->make = [make = std::move(choice->ways->make), name = request.op, sizes] {
                std::vector<KernelAlgorithm> ways = make();
                for (KernelAlgorithm& way : ways) {
                    if (way.engine == cuda::ownEngine) {
                        way.kernel = std::make_unique<TimedKernel>(std::move(way.kernel),
                                                                   prescribedTime(way.engine));
                    }
                    way.kernel = std::make_unique<LaterKernel>(name, std::move(way.kernel), sizes);
                }
                return ways;
            };
        }
    }
    return choice;
}

KernelMaker later(const KernelMaker& maker) {
    return {.op = maker.op,
            .implementation = maker.implementation,
            .choose = [maker](const KernelRequest& request) { return chosen(maker, request); },
            .floating = maker.floating,
            .lacks = maker.lacks,
            .takesBf16 = maker.takesBf16};
}

/// Returns true if a name of one or several ops ("conv2d+relu", "sgd*") contains an op that is left
/// out.
bool isLeftOut(const std::string& name) {
    const char* const without = std::getenv("WEFT_SIM_WITHOUT");
    const std::string names = without == nullptr ? "" : "," + std::string(without) + ",";
    for (std::size_t from = 0; from < name.size() && !names.empty();) {
        const std::size_t end = std::min(name.find_first_of("+*=", from), name.size());
        if (names.find("," + name.substr(from, end - from) + ",") != std::string::npos) {
            return true;
        }
        from = end + 1;
    }
    return false;
}

void addLater(KernelList& list, const KernelList& atOnce) {
    for (const std::string& op : atOnce.ops()) {
        if (isLeftOut(op)) {
            continue;
        }
        for (const KernelMaker& maker : atOnce.ownOf(op)) {
            list.add(later(maker));
        }
    }
    std::vector<std::string> chained = atOnce.freeChains().ops;
    std::erase_if(chained, isLeftOut);
    for (const KernelMaker& maker : atOnce.freeChains().makers) {
        list.addForChains(chained, later(maker));
    }
}

KernelList kernels() {
    KernelList own;
    cuda::fill(own);
    const KernelList processor = cpuBackend().kernels;
    const char* const first = std::getenv("WEFT_SIM_KERNELS");
    const bool isOwnFirst = first != nullptr && std::string_view(first) == "cuda";
    KernelList list;
    addLater(list, isOwnFirst ? own : processor);
    addLater(list, isOwnFirst ? processor : own);
    return list;
}

std::map<Precision, KernelList> rounding() {
    std::map<Precision, KernelList> later;
    for (const auto& [precision, makers] : cuda::roundingKernels()) {
        addLater(later[precision], makers);
    }
    return later;
}

DeviceSheet sheetOf(const std::string& name) {
    DeviceSheet sheet;
    sheet.name = name;
    sheet.backend = "sim";
    sheet.model = "stands in for a GPU";
    sheet.generation = 90;
    sheet.library = cuda::plans::library().version;
    sheet.memory = {chipMemory};
    sheet.flopsPerSecond = 10e12;
    sheet.tf32FlopsPerSecond = 80e12;
    sheet.bf16FlopsPerSecond = 160e12;
    sheet.bytesPerSecond = 500e9;
    sheet.threads = 65536;
    sheet.bus = pcieLink(3);
    sheet.peer = nvLink(1);
    return withKeptRates(std::move(sheet));
}

std::unique_ptr<Device> open(const std::string& device, int /*cores*/) {
    const int number = chipNumber(device, "sim");
    const auto chips = static_cast<int>(chipsHere().size());
    if (number < 0 || number >= chips) {
        throw Error(ErrorCode::device, {},
                    "device " + device + ": this machine has " + std::to_string(chips),
                    "name it sim:0, sim:1 and so on");
    }
    return cuda::makeDevice(number, sheetOf(device));
}

std::vector<DeviceSheet> find() {
    std::vector<DeviceSheet> found;
    for (std::size_t k = 0; k < chipsHere().size(); ++k) {
        found.push_back(sheetOf("sim:" + std::to_string(k)));
    }
    return found;
}

/// A number on a host that no other has the name of.
std::string sees() {
    std::array<char, 256> host{};
    (void)gethostname(host.data(), host.size() - 1);
    std::string seen;
    for (const std::string& chip : chipsHere()) {
        seen += std::string(host.data()) + ':' + chip + ' ';
    }
    return seen;
}

} // namespace

Backend simBackend() {
    return {.name = "sim",
            .kernels = kernels(),
            .rounding = rounding(),
            .space = MemorySpace::device,
            .find = find,
            .open = open,
            .sees = sees};
}

} // namespace weft::sim
