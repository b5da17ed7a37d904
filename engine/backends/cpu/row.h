// SPDX-License-Identifier: Apache-2.0
#pragma once
// The same op on several sets of operands in one call: one update over a bucket. A single op is a
// row of one.

#include "backends/cpu/elementwise.h"

#include <vector>

namespace weft::cpu {

class Row {
public:
    /// Every member's operands in one format each; refuses where they lie in different ones.
    [[nodiscard]] static tl::expected<Row, Refusal> of(const KernelRequest& request);

    [[nodiscard]] std::size_t size() const { return members_.size(); }
    [[nodiscard]] std::int64_t elements(std::size_t member) const { return members_[member].n; }
    template <class T>
    [[nodiscard]] const T* in(const KernelArguments& at, std::size_t member, std::size_t k) const {
        return input<T>(at, static_cast<std::size_t>(members_[member].reads[k]));
    }
    template <class T>
    [[nodiscard]] T* out(const KernelArguments& at, std::size_t member, std::size_t k) const {
        return output<T>(at, static_cast<std::size_t>(members_[member].writes[k]));
    }

    /// work(member, begin, end) for all elements of all members, shared out among the cores as if
    /// they were one array; `streams` arrays are read or written.
    template <class Work>
    void onElements(int cores, int streams, const Work& work) const {
        shareOut(cores, total_, 16, total_ * streams, [&](Range range) {
            for (std::size_t m = 0; m < members_.size(); ++m) {
                const std::int64_t begin = std::max(range.begin, members_[m].first);
                const std::int64_t end = std::min(range.end, members_[m].first + members_[m].n);
                if (begin < end) {
                    const std::int64_t first = members_[m].first;
                    vectorised([&]() __attribute__((always_inline)) {
                        work(m, begin - first, end - first);
                    });
                }
            }
        });
    }

    /// The choice with the formats of all operands.
    [[nodiscard]] ChoiceOrRefusal chosen(const KernelRequest& request, KernelChoice choice) const;

private:
    struct Member {
        std::int64_t first = 0; ///< where it begins among all elements
        std::int64_t n = 0;
        std::vector<int> reads = {};
        std::vector<int> writes = {};
        Format format = {};
        Shape shape = {}; ///< of the operands that have that format
    };
    std::vector<Member> members_;
    std::int64_t total_ = 0;
};

/// Adds a maker for `op` and one for a row of them.
void addWithRow(KernelList& list, const std::string& op,
                const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose);

} // namespace weft::cpu
