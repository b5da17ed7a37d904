// SPDX-License-Identifier: Apache-2.0
#include "device/rounds.h"

#include "device/library_calls.h"
#include <weft/error.h>

namespace weft {

namespace {

/// Operand and result addresses of one call in one iteration.
class RoundAddresses {
public:
    RoundAddresses(const RoundKernels& rounds, const KernelArguments& arguments)
        : rounds_(rounds), at_(arguments), scratch_(static_cast<std::byte*>(arguments.scratch)) {}

    void begin(std::int64_t round) {
        round_ = round;
        position_ = rounds_.isReversed ? rounds_.count - 1 - round : round;
    }

    [[nodiscard]] const void* input(const RoundPlace& place) const {
        switch (place.in) {
        case RoundPlace::In::operand: return operand(place.index, place);
        case RoundPlace::In::begun:
            return round_ == 0 ? operand(place.index, place) : carried(place, round_ - 1);
        default: return output(place);
        }
    }

    [[nodiscard]] void* output(const RoundPlace& place) const {
        switch (place.in) {
        case RoundPlace::In::scratch: return scratch(place.offset);
        case RoundPlace::In::result: return result(place);
        case RoundPlace::In::ended: return carried(place, round_);
        default: return nullptr;
        }
    }

    [[nodiscard]] void* scratch(std::int64_t offset) const {
        return scratch_ == nullptr ? nullptr : scratch_ + offset;
    }

private:
    [[nodiscard]] const void* operand(std::size_t index, const RoundPlace& place) const {
        return static_cast<const std::byte*>(at_.inputs[index]) + place.offset +
               place.stride * position_;
    }
    [[nodiscard]] void* result(const RoundPlace& place) const {
        return static_cast<std::byte*>(at_.outputs[place.index]) + place.offset +
               place.stride * position_;
    }
    /// Returns the buffer that the iteration writes: the last one the result, others alternately.
    [[nodiscard]] void* carried(const RoundPlace& place, std::int64_t round) const {
        const bool isResult = (rounds_.count - 1 - round) % 2 == 0;
        return isResult ? result(place) : scratch(rounds_.spare[place.index] + place.offset);
    }

    const RoundKernels& rounds_;
    const KernelArguments& at_;
    std::byte* scratch_;
    std::int64_t round_ = 0;
    std::int64_t position_ = 0;
};

class RoundsKernel final : public Kernel, public LibraryKernel {
public:
    explicit RoundsKernel(std::shared_ptr<const RoundKernels> rounds) : rounds_(std::move(rounds)) {
        for (const RoundKernel& one : rounds_->kernels) {
            ensure(one.choices.size() == 1 ||
                       one.choices.size() == static_cast<std::size_t>(one.runs()),
                   "a loop body has one kernel for all iterations or one per iteration");
            Made made;
            for (const auto& choice : one.choices) {
                made.kernels.push_back(choice->make());
            }
            made.inputs.resize(one.inputs.size());
            made.outputs.resize(one.outputs.size());
            made_.push_back(std::move(made));
        }
    }

    void addCalls(std::vector<std::string>& calls) const override {
        for (const Made& made : made_) {
            for (const auto& kernel : made.kernels) {
                const std::vector<std::string> inner = libraryCallsOf(*kernel);
                calls.insert(calls.end(), inner.begin(), inner.end());
            }
        }
    }

    void run(const KernelArguments& arguments) override {
        RoundAddresses addresses(*rounds_, arguments);
        for (std::int64_t round = 0; round < rounds_->count; ++round) {
            addresses.begin(round);
            for (std::size_t k = 0; k < made_.size(); ++k) {
                const RoundKernel& one = rounds_->kernels[k];
                if (round >= one.from && round < one.to) {
                    runOne(one, made_[k], round, addresses, arguments);
                }
            }
        }
    }

private:
    struct Made {
        std::vector<std::unique_ptr<Kernel>> kernels;
        std::vector<const void*> inputs; ///< addresses of the current call
        std::vector<void*> outputs;
    };

    static void runOne(const RoundKernel& one, Made& made, std::int64_t round,
                       const RoundAddresses& addresses, const KernelArguments& arguments) {
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            made.inputs[k] = addresses.input(one.inputs[k]);
        }
        for (std::size_t k = 0; k < one.outputs.size(); ++k) {
            made.outputs[k] = addresses.output(one.outputs[k]);
        }
        const std::size_t which =
            made.kernels.size() == 1 ? 0 : static_cast<std::size_t>(round - one.from);
        made.kernels[which]->run(
            {made.inputs, made.outputs, addresses.scratch(one.scratch), arguments.stream,
             one.predicted,
             arguments.staging}); // all kernels of the body run in one stream, so they may share it
    }

    std::shared_ptr<const RoundKernels> rounds_;
    std::vector<Made> made_;
};

} // namespace

std::unique_ptr<Kernel> makeRounds(std::shared_ptr<const RoundKernels> rounds) {
    return std::make_unique<RoundsKernel>(std::move(rounds));
}

} // namespace weft
