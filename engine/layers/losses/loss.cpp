// SPDX-License-Identifier: Apache-2.0
#include "layers/losses/loss.h"

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

bool ignoresSome(const Lowering& lowering) {
    return !lowering.attributes().integers("ignore").empty();
}

Attributes ignoreAttributes(const Lowering& lowering) {
    const std::int64_t pytorchs = -100;
    return {{"ignore",
             ignoresSome(lowering) ? lowering.attributes().integers("ignore").front() : pytorchs}};
}

ValueId meanOfCounted(Lowering& lowering, ValueId perExample, ValueId target) {
    if (!ignoresSome(lowering)) {
        return lowering.add("mean", {perExample});
    }
    Attributes counting = ignoreAttributes(lowering);
    counting.set("dtype", std::string(nameOf(lowering.builder().dtype(perExample))));
    const ValueId count = lowering.add("count_valid", {target}, counting);
    return lowering.add("divide", {lowering.add("sum_all", {perExample}), count});
}

void finishLoss(Lowering& lowering, ValueId loss) {
    const double weight = lowering.attributes().real("weight");
    if (weight != 1) {
        loss = lowering.add("scale", {loss}, {{"factor", weight}});
    }
    lowering.builder().addResult(lowering.name(), ResultKind::loss, loss);
    lowering.output("loss", loss);
}

} // namespace weft::layers
