// SPDX-License-Identifier: Apache-2.0
#pragma once
// A network as large as one asks for, which benchmarks check and paint.

#include <weft/design.h>

#include <string>
#include <utility>
#include <vector>

namespace weft::bench {

/// Blocks of convolution, norm, relu, convolution, norm, a way round and relu; then a classifier.
class LargeNetwork {
public:
    explicit LargeNetwork(int blocks) {
        design_.devices = {
            {.name = "cpu:0"}, {.name = "cpu:1"}, {.name = "cpu:2"}, {.name = "cpu:3"}};
        design_.assignment.words = {AxisWord::data};
        design_.data.source = "digits";
        design_.data.feeds = {{"images", "images"}, {"labels", "labels"}};
        design_.data.batch = 64;
        Endpoint x = add("input", "images", {{"shape", std::vector<std::int64_t>{1, 28, 28}}}, {});
        x = convolution("stem", x);
        for (int block = 0; block < blocks; ++block) {
            x = addBlock("block" + std::to_string(block) + "_", x);
        }
        x = add("global_average_pool", "pool", {}, {{"x", x}});
        x = add("dense", "fc", {{"units", std::int64_t{10}}}, {{"x", x}});
        const Endpoint labels =
            add("input", "labels",
                {{"shape", std::vector<std::int64_t>{}}, {"dtype", std::string("i64")}}, {});
        add("softmax_cross_entropy", "loss", {}, {{"logits", x}, {"target", labels}});
    }

    [[nodiscard]] Design take() { return std::move(design_); }

private:
    using Inputs = std::vector<std::pair<std::string, Endpoint>>;

    Endpoint add(const std::string& kind, const std::string& name, Attributes attributes,
                 const Inputs& inputs) {
        Layer layer;
        layer.id = LayerId{static_cast<std::uint32_t>(design_.network.layers.size() + 1)};
        layer.name = name;
        layer.kind = kind;
        layer.attributes = std::move(attributes);
        for (const auto& [port, from] : inputs) {
            design_.network.wires.push_back({from, {layer.id, port}});
        }
        design_.network.layers.push_back(layer);
        return {layer.id, "y"};
    }

    Endpoint convolution(const std::string& name, Endpoint x) {
        return add("conv2d", name,
                   {{"filters", std::int64_t{32}},
                    {"kernel", std::int64_t{3}},
                    {"pad", std::string("same")}},
                   {{"x", x}});
    }

    Endpoint addBlock(const std::string& name, const Endpoint& x) {
        Endpoint y = convolution(name + "conv1", x);
        y = add("batch_norm", name + "norm1", {}, {{"x", y}});
        y = add("relu", name + "relu1", {}, {{"x", y}});
        y = convolution(name + "conv2", y);
        y = add("batch_norm", name + "norm2", {}, {{"x", y}});
        y = add("add", name + "add", {}, {{"x0", y}, {"x1", x}});
        return add("relu", name + "relu2", {}, {{"x", y}});
    }

    Design design_;
};

/// Seven layers a block.
inline Design largeNetwork(int blocks) { return LargeNetwork(blocks).take(); }

} // namespace weft::bench
