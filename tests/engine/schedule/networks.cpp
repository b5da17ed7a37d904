// SPDX-License-Identifier: Apache-2.0
#include "networks.h"

#include "support/trained.h"

namespace weft::test {

std::unique_ptr<SmallNetwork> convolutionNetwork(std::int64_t batch) {
    auto net = std::make_unique<SmallNetwork>();
    const ValueId x = net->input("x", {batch, 16, 8, 8});
    const ValueId target = net->input("target", {batch}, DType::i64);
    ValueId y = net->convolution("conv1", x, 32);
    y = net->shift("shift1", y, 1);
    y = net->op("relu1", "relu", {y});
    y = net->convolution("conv2", y, 32);
    y = net->shift("shift2", y, 1);
    y = net->op("relu2", "relu", {y});
    y = net->op("pool", "global_average_pool", {y});
    y = net->dense("dense", y, 10);
    net->train(net->loss("loss", y, target));
    return net;
}

std::unique_ptr<SmallNetwork> residualNetwork() {
    auto net = std::make_unique<SmallNetwork>();
    const ValueId x = net->input("x", {8, 32, 6, 6});
    const ValueId target = net->input("target", {8}, DType::i64);
    const ValueId stem = net->convolution("stem", x, 32);
    ValueId y = net->shift("shift", net->convolution("conv", stem, 32), 1);
    y = net->op("relu", "relu", {net->op("around", "add", {stem, y})});
    const ValueId mean = net->op("pool", "global_average_pool", {y});
    y = net->op("beside", "add", {net->dense("dense", mean, 32), mean});
    net->train(net->loss("loss", net->dense("last", y, 10), target));
    return net;
}

std::unique_ptr<SmallNetwork> branchedNetwork(const std::string& optimizer) {
    auto net = std::make_unique<SmallNetwork>();
    const ValueId x = net->input("x", {16, 24});
    const ValueId target = net->input("target", {16}, DType::i64);
    std::vector<ValueId> ends;
    for (const std::string name : {"a", "b", "c"}) {
        ValueId y = net->dense(name + "1", x, 20);
        y = net->op(name + "r", "relu", {y});
        ends.push_back(net->dense(name + "2", y, 12));
    }
    const ValueId y = net->dense("last", net->op("sum", "add", ends), 5);
    net->train(net->loss("loss", y, target), 0, optimizer);
    return net;
}

Trained trainOn(const std::string& backend, const SmallNetwork& net, std::size_t devices,
                const std::string& words) {
    Spreading spreading{.devices = devices,
                        .assignment = SmallNetwork::assignment(words),
                        .layers = {},
                        .communicator = CommunicatorKind::threads};
    spreading.backend = backend;
    constexpr std::int64_t classes = 5; // that every one of the networks has
    return train(std::make_shared<const Graph>(net.graph()), net.ops(), spreading, 3, classes);
}

} // namespace weft::test
