// SPDX-License-Identifier: Apache-2.0
#pragma once
// A kernel request for the same op on several sets of operands, such as one update over a bucket. A
// single op is a row of one member.

#include "device/settled_formats.h"

#include <vector>

namespace weft {

class OpRow { ///< the same op on several sets of operands, for one kernel
public:
    /// Builds the row; each member's operands share one format. Refuses, in the name of an
    /// implementation, if they differ.
    [[nodiscard]] static tl::expected<OpRow, Refusal> of(const KernelRequest& request,
                                                         const std::string& implementation);

    [[nodiscard]] std::size_t size() const { return members_.size(); } ///< number of ops
    /// Number of elements of all members.
    [[nodiscard]] std::int64_t elements() const { return total_; }
    [[nodiscard]] std::int64_t elements(std::size_t member) const { return members_[member].n; }
    /// Index of a member's first element among all elements.
    [[nodiscard]] std::int64_t first(std::size_t member) const { return members_[member].first; }
    template <class T>
    [[nodiscard]] const T* in(const KernelArguments& arguments, std::size_t member,
                              std::size_t k) const {
        return static_cast<const T*>(
            arguments.inputs[static_cast<std::size_t>(members_[member].reads[k])]);
    }
    template <class T>
    [[nodiscard]] T* out(const KernelArguments& arguments, std::size_t member,
                         std::size_t k) const {
        return static_cast<T*>(
            arguments.outputs[static_cast<std::size_t>(members_[member].writes[k])]);
    }

    /// Returns the choice with the formats of all operands.
    [[nodiscard]] ChoiceOrRefusal chosen(const KernelRequest& request, KernelChoice choice) const;

private:
    struct Member {                   ///< one op with its operands
        std::int64_t first = 0;       ///< index of its first element among all elements
        std::int64_t n = 0;           ///< number of its elements
        std::vector<int> reads = {};  ///< index of the request's input, per operand
        std::vector<int> writes = {}; ///< index of the request's output, per result
        Format format = {};           ///< format that all its operands share
        Shape shape = {};             ///< shape of the operands with that format
    };
    std::vector<Member> members_; ///< the ops, each on its own operands
    std::int64_t total_ = 0;      ///< number of elements of all members
};

/// Adds a maker for `op` and one for a row of such ops.
void addWithRow(KernelList& list, const std::string& op, const std::string& implementation,
                const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose);

} // namespace weft
