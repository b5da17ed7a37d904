// SPDX-License-Identifier: Apache-2.0
#include "graph/op.h"

#include <weft/error.h>

namespace weft {

void OpList::add(Op op) {
    ensure(!byName_.contains(op.name), "two ops have one name");
    ops_.push_back(std::make_unique<const Op>(std::move(op)));
    byName_.emplace(ops_.back()->name, ops_.back().get());
}

const Op* OpList::find(std::string_view name) const {
    const auto found = byName_.find(name);
    return found == byName_.end() ? nullptr : found->second;
}

const Op& OpList::at(std::string_view name) const {
    const Op* op = find(name);
    if (op == nullptr) {
        throw Error(ErrorCode::bug, Where{.op = std::string(name)}, "there is no op of this name",
                    "add the op to engine/ops or mend the name");
    }
    return *op;
}

std::vector<const Op*> OpList::all() const {
    std::vector<const Op*> list;
    list.reserve(ops_.size());
    for (const auto& op : ops_) {
        list.push_back(op.get());
    }
    return list;
}

} // namespace weft
