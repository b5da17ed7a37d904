// SPDX-License-Identifier: Apache-2.0
#include "device/op_row.h"

#include <numeric>

namespace weft {

tl::expected<OpRow, Refusal> OpRow::of(const KernelRequest& request,
                                       const std::string& implementation) {
    OpRow row;
    const std::size_t count = request.body ? request.body->members.size() : 1;
    for (std::size_t m = 0; m < count; ++m) {
        KernelRequest one = request.body ? request.body->members[m] : request;
        Member member{.first = row.total_};
        if (request.body) {
            member.reads = request.body->reads[m];
            member.writes = request.body->writes[m];
        } else {
            member.reads.resize(request.inputs.size());
            member.writes.resize(request.outputs.size());
            std::iota(member.reads.begin(), member.reads.end(), 0);
            std::iota(member.writes.begin(), member.writes.end(), 0);
        }
        for (std::size_t k = 0; k < one.inputs.size(); ++k) {
            one.inputs[k] = request.inputs[static_cast<std::size_t>(member.reads[k])];
        }
        for (std::size_t k = 0; k < one.outputs.size(); ++k) {
            one.outputs[k] = request.outputs[static_cast<std::size_t>(member.writes[k])];
        }
        one.mayChooseFormats = request.mayChooseFormats;
        member.shape = one.inputs[0].shape;
        const auto format = formatForAll(one, member.shape);
        if (!format) {
            return tl::unexpected<Refusal>(
                {implementation, "operands have different memory formats"});
        }
        member.format = *format;
        member.n = elementsOf(member.shape);
        row.total_ += member.n;
        row.members_.push_back(std::move(member));
    }
    return row;
}

ChoiceOrRefusal OpRow::chosen(const KernelRequest& request, KernelChoice choice) const {
    std::vector<Format> inputs(request.inputs.size());
    std::vector<Format> outputs(request.outputs.size());
    for (const Member& member : members_) {
        for (const int k : member.reads) {
            const auto operand = static_cast<std::size_t>(k);
            inputs[operand] =
                request.inputs[operand].shape == member.shape ? member.format : Format{};
        }
        for (const int k : member.writes) {
            const auto result = static_cast<std::size_t>(k);
            outputs[result] =
                request.outputs[result].shape == member.shape ? member.format : Format{};
        }
    }
    return withFormats(request, std::move(choice), std::move(inputs), std::move(outputs));
}

void addWithRow(KernelList& list, const std::string& op, const std::string& implementation,
                const std::function<ChoiceOrRefusal(const KernelRequest&)>& choose) {
    list.add({op, implementation, choose});
    list.add({op + "*", implementation, choose});
}

} // namespace weft
