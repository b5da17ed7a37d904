// SPDX-License-Identifier: Apache-2.0
#include "rows.h"

namespace weft::bench {

namespace {

using List = std::vector<std::int64_t>;

struct Convolution {
    std::string name;
    std::int64_t batch, channels, size, outputs, kernel, stride, padding;
    bool hasInputGradient = true; ///< the first of a network has none

    [[nodiscard]] std::int64_t windows() const {
        return (size + 2 * padding - kernel) / stride + 1;
    }
};

void addConvolution(std::vector<Row>& rows, const Convolution& c) {
    const Shape x{c.batch, c.channels, c.size, c.size};
    const Shape w{c.outputs, c.channels, c.kernel, c.kernel};
    const Shape y{c.batch, c.outputs, c.windows(), c.windows()};
    Attributes attributes{{"stride", List{c.stride, c.stride}},
                          {"padding", List{c.padding, c.padding, c.padding, c.padding}}};
    rows.push_back({c.name, "conv2d", {x, w}, attributes, {true, false}});
    if (c.hasInputGradient) {
        Attributes sized = attributes;
        sized.set("size", List{c.size, c.size});
        rows.push_back({c.name, "conv2d_dx", {y, w}, sized, {true, false}});
    }
    attributes.set("kernel", List{c.kernel, c.kernel});
    rows.push_back({c.name, "conv2d_dw", {x, y}, attributes, {true, true}});
}

void addDense(std::vector<Row>& rows, const std::string& name, std::int64_t b, std::int64_t i,
              std::int64_t o) {
    rows.push_back({name, "linear", {{b, i}, {o, i}}, {}, {false, false}});
    rows.push_back({name, "linear_dx", {{b, o}, {o, i}}, {}, {false, false}});
    rows.push_back({name, "linear_dw", {{b, o}, {b, i}}, {}, {false, false}});
}

void addPooling(std::vector<Row>& rows, const std::string& name, const std::string& op,
                const Shape& x, std::int64_t kernel, std::int64_t stride, std::int64_t windows) {
    const Shape y{x[0], x[1], windows, windows};
    const bool isMaximum = op == "max_pool2d";
    Attributes attributes{
        {"kernel", List{kernel, kernel}}, {"stride", List{stride, stride}}, {"ceil", true}};
    rows.push_back({name, op, {x}, attributes, {true}});
    attributes.set("size", List{x[2], x[3]});
    std::vector<Shape> inputs(isMaximum ? 2 : 1, y);
    rows.push_back({name, op + "_gradient", inputs, attributes,
                    std::vector<bool>(inputs.size(), true), DType::i32, x[2] * x[3]});
}

/// Ops that read and write as many numbers as there are, with so many such operands.
void addElementwise(std::vector<Row>& rows, const std::string& op, const Shape& x,
                    std::size_t operands, std::vector<Shape> others = {},
                    Attributes attributes = {}) {
    std::vector<Shape> inputs(operands, x);
    inputs.insert(inputs.end(), others.begin(), others.end());
    std::vector<bool> isMap(inputs.size(), false);
    std::fill_n(isMap.begin(), operands, x.size() == 4);
    rows.push_back({toString(x), op, inputs, std::move(attributes), isMap});
}

void addConvolutions(std::vector<Row>& rows) {
    for (const Convolution& c : std::vector<Convolution>{
             {"lenet conv1", 64, 1, 28, 20, 5, 1, 0, false},
             {"lenet conv2", 64, 20, 12, 50, 5, 1, 0},
             {"cifar_quick conv1", 128, 3, 32, 32, 5, 1, 2, false},
             {"cifar_quick conv2", 128, 32, 16, 32, 5, 1, 2},
             {"cifar_quick conv3", 128, 32, 8, 64, 5, 1, 2},
             {"resnet18 stem", 64, 3, 32, 64, 3, 1, 1, false},
             {"resnet18 64", 64, 64, 32, 64, 3, 1, 1},
             {"resnet18 64-128/2", 64, 64, 32, 128, 3, 2, 1},
             {"resnet18 64-128/2 1x1", 64, 64, 32, 128, 1, 2, 0},
             {"resnet18 128", 64, 128, 16, 128, 3, 1, 1},
             {"resnet18 256", 64, 256, 8, 256, 3, 1, 1},
             {"resnet18 512", 64, 512, 4, 512, 3, 1, 1},
             {"alexnet conv1", 32, 3, 224, 64, 11, 4, 2, false},
             {"alexnet conv2", 32, 64, 27, 192, 5, 1, 2},
             {"alexnet conv3", 32, 192, 13, 384, 3, 1, 1},
             {"googlenet conv1", 8, 3, 224, 64, 7, 2, 3, false},
             {"googlenet 192-96 1x1", 8, 192, 28, 96, 1, 1, 0},
             {"googlenet 96-128", 8, 96, 28, 128, 3, 1, 1},
             {"googlenet 160-320", 8, 160, 7, 320, 3, 1, 1},
             {"lca 1-128/2 8x8", 16, 1, 64, 128, 8, 2, 3},
             {"lca 3-96/2 8x8", 16, 3, 64, 96, 8, 2, 3},
         }) {
        addConvolution(rows, c);
    }
}

void addProducts(std::vector<Row>& rows) {
    addDense(rows, "mlp 784-1024", 128, 784, 1024);
    addDense(rows, "mlp 1024-1024", 128, 1024, 1024);
    addDense(rows, "mlp 1024-10", 128, 1024, 10);
    addDense(rows, "lenet 800-500", 64, 800, 500);
    addDense(rows, "alexnet 9216-4096", 32, 9216, 4096);
    addDense(rows, "alexnet 4096-1000", 32, 4096, 1000);
    addDense(rows, "gpt 256-768", 2048, 256, 768);
    addDense(rows, "gpt 256-1024", 2048, 256, 1024);
    addDense(rows, "gpt 1024-256", 2048, 1024, 256);
    addDense(rows, "gpt 256-1000", 2048, 256, 1000);
    const Shape head{16, 4, 128, 64};
    const Attributes attention{{"causal", true}, {"scale", 0.125}};
    const std::vector<bool> plain(6, false);
    rows.push_back({"gpt", "attention", {head, head, head}, attention, plain});
    rows.push_back({"gpt", "attention_dv", {head, head, {16, 4, 128}, head}, attention, plain});
    for (const char* op : {"attention_dq", "attention_dk"}) {
        rows.push_back({"gpt", op, {head, head, head, head, {16, 4, 128}, head}, attention, plain});
    }
}

void addRest(std::vector<Row>& rows) {
    addPooling(rows, "lenet pool1", "max_pool2d", {64, 20, 24, 24}, 2, 2, 12);
    addPooling(rows, "cifar_quick pool1", "max_pool2d", {128, 32, 32, 32}, 3, 2, 16);
    addPooling(rows, "cifar_quick pool2", "average_pool2d", {128, 32, 16, 16}, 3, 2, 8);
    addPooling(rows, "googlenet pool1", "max_pool2d", {8, 64, 112, 112}, 3, 2, 56);
    const Shape map{64, 64, 32, 32};
    const Shape channels{64};
    const Shape tokens{16, 128, 256};
    const Shape wide{16, 128, 1024};
    rows.push_back({"resnet18", "batch_norm", {map, channels, channels}, {}, {true, false, false}});
    rows.push_back({"resnet18",
                    "batch_norm_dx",
                    {map, channels, channels, channels, map, channels, channels},
                    {},
                    {true, false, false, false, true, false, false}});
    rows.push_back({"resnet18",
                    "batch_norm_dgamma",
                    {map, channels, channels, map},
                    {},
                    {true, false, false, true}});
    rows.push_back({"gpt", "layer_norm", {tokens, {256}, {256}}, {}, {false, false, false}});
    rows.push_back({"gpt",
                    "layer_norm_dx",
                    {tokens, {16, 128}, {16, 128}, {256}, tokens},
                    {},
                    std::vector<bool>(5, false)});
    addElementwise(rows, "relu", map, 1);
    addElementwise(rows, "relu_gradient", map, 2);
    addElementwise(rows, "add", map, 2);
    addElementwise(rows, "gelu", wide, 1);
    addElementwise(rows, "gelu_gradient", wide, 2);
    addElementwise(rows, "dropout", {32, 9216}, 1, {{}}, {{"rate", 0.5}});
    rows.push_back(
        {"resnet18", "bias_add", {map, channels}, {{"dim", std::int64_t{1}}}, {true, false}});
    rows.push_back({"resnet18", "bias_gradient", {map}, {{"dim", std::int64_t{1}}}, {true}});
    addElementwise(rows, "sgd_momentum", {4096, 1024}, 3, {{}});
    addElementwise(rows, "adam", {4096, 1024}, 4, {{}, {}});
    rows.push_back({"gpt", "softmax_cross_entropy", {{2048, 1000}, {2048}}, {}, {false, false}});
    rows.push_back({"gpt",
                    "softmax_cross_entropy_gradient",
                    {{2048, 1000}, {2048}, {2048}, {2048}},
                    {},
                    std::vector<bool>(4, false)});
    addElementwise(rows, "softmax", {2048, 1000}, 1);
    rows.push_back({"gpt", "embedding", {{16, 128}, {1000, 256}}, {}, {false, false}});
    rows.push_back({"gpt",
                    "embedding_gradient",
                    {{16, 128}, tokens},
                    {{"rows", std::int64_t{1000}}},
                    {false, false}});
    rows.push_back({"cifar_quick", "flatten", {{128, 64, 4, 4}}, {}, {true}});
    rows.push_back({"googlenet",
                    "concat",
                    {{8, 64, 28, 28}, {8, 128, 28, 28}, {8, 32, 28, 28}, {8, 32, 28, 28}},
                    {{"dim", std::int64_t{1}}},
                    std::vector<bool>(4, true)});
}

/// Where the rounds of sparse coding are not one kernel.
void addCodes(std::vector<Row>& rows) {
    const Shape code{16, 128, 32, 32};
    const Attributes soft{{"threshold", 1.5}, {"two_sided", true}};
    addElementwise(rows, "transfer", code, 1, {}, soft);
    addElementwise(rows, "transfer_cost", code, 1, {}, soft);
    addElementwise(rows, "membrane", code, 3, {{16}});
    addElementwise(rows, "half_squares", {16, 3, 64, 64}, 1);
    addElementwise(rows, "count_active", code, 1);
    const Shape dictionary{128, 3, 8, 8};
    rows.push_back(
        {"lca", "hebb", {dictionary, dictionary, {}, {}}, {}, {false, false, false, false}});
    rows.push_back({"lca", "unit_length", {dictionary}, {}, {false}});
}

} // namespace

std::vector<Row> rows() {
    std::vector<Row> rows;
    addConvolutions(rows);
    addProducts(rows);
    addRest(rows);
    addCodes(rows);
    return rows;
}

} // namespace weft::bench
