// SPDX-License-Identifier: Apache-2.0
#pragma once
// Who is asked for a kernel: a backend's makers, fastest first, those that round before all where
// they may, behind them those of last resort, which compute on the host: out of its memory, or of
// what is brought there and back.
// A choice depends on its request alone, in which the chooser says for what chip it is, so that an
// answer may be remembered.

#include "device/backend.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace weft {

/// What makers answered; outlives the plans that it was asked for. Not shared between threads.
class ChoiceMemory {
public:
    struct Answer {
        std::shared_ptr<const KernelChoice> choice; ///< nullptr: nobody serves the request
        std::vector<Refusal> refusals;              ///< by maker, before that
    };
    using Answers = std::unordered_map<std::string, Answer>; ///< by all that a request says

    /// Answers of the kernels that are asked first, for a device of that kind, present or not.
    [[nodiscard]] Answers& of(const KernelList& makers, bool isHere, const ChipKind& chip);

private:
    using Asked = std::tuple<const KernelList*, bool, int, std::string, PlansByName>;

    std::map<Asked, Answers> byMakers_;
};

class KernelChooser {
public:
    using Suits = std::function<bool(const KernelChoice& choice)>;
    /// Hears of a maker that refused before one served, by its implementation.
    using Refused = std::function<void(const Refusal& why)>;

    /// All outlive it; `memory`: none: every request is put to the makers. For a device that is
    /// here, those are passed over that lack something here.
    KernelChooser(const Backend& backend, const KernelList& lastResort,
                  ChoiceMemory* memory = nullptr, Precision precision = Precision::exact,
                  bool isHere = true, ChipKind chip = {});

    /// The first choice offered; nullptr: nobody serves the request.
    [[nodiscard]] std::shared_ptr<const KernelChoice> choose(const KernelRequest& request,
                                                             const Refused& refused = {}) const;
    /// The first that suits, be it by no plan that was measured.
    [[nodiscard]] std::shared_ptr<const KernelChoice> chooseThat(const KernelRequest& request,
                                                                 const Suits& suits) const;

private:
    [[nodiscard]] ChoiceMemory::Answer ask(KernelRequest request, const Suits& suits,
                                           const ChipKind& chip) const;

    const Backend& backend_;
    const KernelList& lastResort_;
    std::vector<const KernelList*> lists_; ///< in the order in which they are asked
    const std::pair<const Precision, KernelList>* rounding_ = nullptr; ///< one of them
    ChoiceMemory::Answers* known_;
    bool isHere_;
    ChipKind chip_;
};

} // namespace weft
