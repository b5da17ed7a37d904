// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks for kernels in this order: a backend's makers, fastest first (rounding ones before the
// others if allowed), then the makers of last resort, which compute on the host, in its own memory
// or on copies. A choice depends only on its request, which includes the chip, so that answers can
// be cached.

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

/// Cache of the makers' answers. Outlives the plans for which it was filled. Not thread-safe.
class KernelChoiceCache {
public:
    struct Answer {
        std::shared_ptr<const KernelChoice> choice; ///< nullptr: no maker serves the request
        std::vector<Refusal> refusals;              ///< one per maker that refused, in order
    };
    using Answers = std::unordered_map<std::string, Answer>; ///< keyed by the whole request

    /// Returns the cached answers of these makers, for a device of that kind, whether present or
    /// not.
    [[nodiscard]] Answers& answersOf(const KernelList& makers, bool isHere, const ChipKind& chip);

private:
    using Key = std::tuple<const KernelList*, bool, int, std::string, PlansByName>;

    std::map<Key, Answers> answersByKey_;
};

class KernelChooser {
public:
    using Suits = std::function<bool(const KernelChoice& choice)>;
    /// Is called for each maker that refused before one served, with its implementation.
    using Refused = std::function<void(const Refusal& why)>;

    /// All arguments must outlive it. Without `memory` every request goes to the makers. If the
    /// device is present, makers that lack something here are skipped.
    KernelChooser(const Backend& backend, const KernelList& lastResort,
                  KernelChoiceCache* memory = nullptr, Precision precision = Precision::exact,
                  bool isHere = true, ChipKind chip = {});

    /// Returns the first choice offered, or nullptr if no maker serves the request.
    [[nodiscard]] std::shared_ptr<const KernelChoice> choose(const KernelRequest& request,
                                                             const Refused& refused = {}) const;
    /// Returns the first choice that suits, with or without measured plans.
    [[nodiscard]] std::shared_ptr<const KernelChoice> chooseSuitable(const KernelRequest& request,
                                                                     const Suits& suits) const;

private:
    [[nodiscard]] KernelChoiceCache::Answer ask(KernelRequest request, const Suits& suits,
                                                const ChipKind& chip) const;

    const Backend& backend_;
    const KernelList& lastResort_;
    std::vector<const KernelList*> lists_; ///< in the order in which they are asked
    const std::pair<const Precision, KernelList>* rounding_ =
        nullptr;                                ///< makers of kernels that round, if allowed
    KernelChoiceCache::Answers* cachedAnswers_; ///< nullptr: no cache
    bool isHere_;                               ///< the device is present on this machine
    ChipKind chip_;
};

} // namespace weft
