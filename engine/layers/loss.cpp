// SPDX-License-Identifier: Apache-2.0
#include "layers/loss.h"

namespace weft::layers {

AttributeSpec weightSpec() {
    return {
        .name = "weight",
        .defaultValue = 1.0,
        .help =
            "Weight of this loss. The total loss is the weighted sum of all losses of the design."};
}

AttributeSpec ignoreSpec() {
    return {.name = "ignore",
            .defaultValue = std::vector<std::int64_t>{},
            .help =
                "Target value to ignore (PyTorch's ignore_index, such as -100): these examples "
                "contribute neither to the loss nor to the mean. Not given: all examples count.",
            .count = 1};
}

bool ignoresSome(const Lowering& at) { return !at.attributes().integers("ignore").empty(); }

Attributes ignoreAttributes(const Lowering& at) {
    const std::int64_t pytorchs = -100;
    return {{"ignore", ignoresSome(at) ? at.attributes().integers("ignore").front() : pytorchs}};
}

ValueId meanOfCounted(Lowering& at, ValueId perExample, ValueId target) {
    if (!ignoresSome(at)) {
        return at.add("mean", {perExample});
    }
    Attributes counting = ignoreAttributes(at);
    counting.set("dtype", std::string(nameOf(at.builder().dtype(perExample))));
    const ValueId count = at.add("count_valid", {target}, counting);
    return at.add("divide", {at.add("sum_all", {perExample}), count});
}

void finishLoss(Lowering& at, ValueId loss) {
    const double weight = at.attributes().real("weight");
    if (weight != 1) {
        loss = at.add("scale", {loss}, {{"factor", weight}});
    }
    at.builder().addResult(at.name(), ResultKind::loss, loss);
    at.output("loss", loss);
}

} // namespace weft::layers
