// SPDX-License-Identifier: Apache-2.0
// Designs as ONNX models: imported again, they are the same, with and without their metadata.
#include "compile/registry.h"
#include "data/arrays/safetensors.h"
#include "engine/exchange/onnx/written_model.h"
#include "exchange/onnx/model.h"
#include "support/places.h"
#include "support/refusal.h"
#include "support/test_main.h"
#include <weft/design_file.h>
#include <weft/onnx_export.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <set>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;
namespace wire = weft::onnx::wire;

namespace {

/// Samples whose weights would take the suite too long; the others stand for their layers.
const std::set<std::string> large = {"alexnet-one-weird-trick", "gpt-on-four-gpus"};

/// A design of one layer with an input for each of the sample's.
Design designOf(const LayerKind& kind, const LayerSample& sample) {
    Design design{.name = kind.info.kind};
    Network& network = design.network;
    const LayerId layer{100};
    for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
        const LayerId id{static_cast<std::uint32_t>(k)};
        const DType dtype = sample.dtypes.empty() ? DType::f32 : sample.dtypes[k];
        network.layers.push_back(
            {.id = id,
             .name = "in" + std::to_string(k),
             .kind = "input",
             .attributes = {{"shape", Shape(sample.inputs[k].begin() + 1, sample.inputs[k].end())},
                            {"dtype", std::string(nameOf(dtype))}}});
        const PortInfo& port = kind.info.inputs[std::min(k, kind.info.inputs.size() - 1)];
        network.wires.push_back(
            {.from = {id, "y"},
             .to = {layer, port.variadic ? port.name + std::to_string(k) : port.name}});
    }
    Layer made{.id = layer, .name = "it", .kind = kind.info.kind, .attributes = sample.attributes};
    for (const AttributeSpec& spec : kind.info.attributes) {
        if (spec.required && !made.attributes.has(spec.name)) {
            made.attributes.set(spec.name, spec.defaultValue);
        }
    }
    network.layers.push_back(std::move(made));
    return design;
}

bool isOfOneOperand(const LayerKindInfo& kind) {
    return kind.inputs.size() == 1 && !kind.inputs.front().variadic && kind.parameters.empty();
}

std::vector<GivenInput> inputsOf(const LayerSample& sample) {
    std::vector<GivenInput> inputs;
    for (std::size_t k = 0; k < sample.inputs.size(); ++k) {
        GivenInput input{.layer = "in" + std::to_string(k), .shape = sample.inputs[k]};
        const auto count = static_cast<std::size_t>(elementsOf(input.shape));
        if (!sample.dtypes.empty() && !isFloating(sample.dtypes[k])) {
            for (std::size_t i = 0; i < count; ++i) {
                input.wholes.push_back(static_cast<std::int64_t>((i * 5 + k) % 3));
            }
        } else {
            input.reals = someNumbers(count, 7 * k + 1);
            for (float& number : input.reals) {
                number = sample.positive ? std::abs(number) + 0.1F : number;
            }
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

std::string differences(const InferenceResult& a, const InferenceResult& b) {
    if (a.outputs.size() != b.outputs.size() || a.outputs.empty()) {
        return std::to_string(a.outputs.size()) + " outputs, and " +
               std::to_string(b.outputs.size());
    }
    for (std::size_t k = 0; k < a.outputs.size(); ++k) {
        if (a.outputs[k].shape != b.outputs[k].shape) {
            return toString(a.outputs[k].shape) + " and " + toString(b.outputs[k].shape);
        }
        for (std::size_t i = 0; i < a.outputs[k].numbers.size(); ++i) {
            const double x = static_cast<double>(a.outputs[k].numbers[i]);
            const double y = static_cast<double>(b.outputs[k].numbers[i]);
            const bool isEqual = x == y || (std::isnan(x) && std::isnan(y)) ||
                                 std::abs(x - y) <= 1e-5 + 1e-5 * std::abs(x);
            if (!isEqual) {
                return std::to_string(x) + " and " + std::to_string(y);
            }
        }
    }
    return "";
}

} // namespace

class TestOnnxExport : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path here() const { return folder_.path().toStdString(); }
    [[nodiscard]] Import importOf(const std::string& bytes) const {
        std::ofstream(here() / "m.onnx", std::ios::binary) << bytes;
        return importOnnx({.file = here() / "m.onnx"});
    }
    static wire::Model parsed(const std::string& bytes) {
        wire::Model model;
        (void)model.ParseFromString(bytes);
        return model;
    }
    static std::string withoutMetadata(const std::string& bytes) {
        wire::Model model = parsed(bytes);
        model.clear_metadata_props();
        return model.SerializeAsString();
    }
    static std::vector<std::string> operatorsOf(const std::string& bytes) {
        const wire::Model model = parsed(bytes);
        std::vector<std::string> operators;
        for (const wire::Node& node : model.graph().node()) {
            operators.push_back(node.op_type());
        }
        return operators;
    }
    static bool uses(const std::string& bytes, const char* op) {
        return std::ranges::count(operatorsOf(bytes), op) > 0;
    }
    [[nodiscard]] static Design sample(const std::string& name) {
        return loadDesign(sourceFolder() / "projects" / name, catalogue()).design;
    }
    /// "it" of this kind, after an input [batch, 4].
    [[nodiscard]] static Design oneLayer(const std::string& kind, Attributes attributes = {}) {
        return {
            .name = "one",
            .network = {
                .layers =
                    {{.id = {1}, .name = "x", .kind = "input", .attributes = {{"shape", Shape{4}}}},
                     {.id = {2}, .name = "it", .kind = kind, .attributes = std::move(attributes)}},
                .wires = {{.from = {{1}, "y"}, .to = {{2}, "x"}}}}};
    }
    [[nodiscard]] static Design dense() {
        Design design = oneLayer("dense", {{"units", std::int64_t{3}}});
        design.network.layers.push_back({.id = {3}, .name = "act", .kind = "relu"});
        design.network.wires.push_back({.from = {{2}, "y"}, .to = {{3}, "x"}});
        return design;
    }

private Q_SLOTS:
    void aSampleComesBackAsItWas_data() {
        QTest::addColumn<QString>("file");
        for (const auto& folder : fs::directory_iterator(sourceFolder() / "projects")) {
            for (const char* name : {"design.weft", "bench.weft"}) {
                if (fs::exists(folder.path() / name) &&
                    !large.contains(folder.path().filename().string())) {
                    const fs::path file = folder.path().filename() / name;
                    QTest::newRow(file.c_str()) << QString::fromStdString(file.string());
                }
            }
        }
    }
    void aSampleComesBackAsItWas() {
        QFETCH(const QString, file);
        const Design design = sample(file.toStdString());
        const OnnxExport made = exportOnnx({.design = design});
        if (file.startsWith("lca")) {
            QVERIFY(made.model.empty() && !made.refusals.empty());
            QVERIFY(std::ranges::all_of(made.refusals, [](const OnnxRefusal& refusal) {
                return refusal.kind.starts_with("lca") &&
                       toString(refusal).find("ONNX has no operator for it") != std::string::npos;
            }));
            return;
        }
        for (const OnnxRefusal& refusal : made.refusals) {
            QFAIL(toString(refusal).c_str());
        }
        const Import import = importOf(made.model);
        QCOMPARE(toText(import.design), toText(design));
        QCOMPARE(import.weights.size(), made.weights);
        QVERIFY(!import.outputs.empty());
        QVERIFY2(textOf(import, ImportOutcome::remark)
                     .starts_with("the model: contains the design that it was exported from"),
                 textOf(import, ImportOutcome::remark).c_str());
        // The imported weights make the same file again.
        (void)writeImport(import, here() / "again");
        const OnnxExport again = exportOnnx(
            {.design = import.design, .weights = here() / "again" / "weights.safetensors"});
        QVERIFY(again.model == made.model);
        fs::remove_all(here() / "again");
    }

    void weightsAreThoseOfTheFileBitForBit() {
        const std::vector<float> weight = someNumbers(12, 5);
        const std::vector<float> bias = {-0.0F, 1e-42F, 3.0F};
        SafetensorsWriter writer(here() / "w.safetensors",
                                 {{"it.weight", DType::f32, {3, 4}}, {"it.bias", DType::f32, {3}}});
        writer.write(std::as_bytes(std::span(weight)));
        writer.write(std::as_bytes(std::span(bias)));
        writer.finish();
        const OnnxExport made =
            exportOnnx({.design = dense(), .weights = here() / "w.safetensors"});
        const Import import = importOf(made.model);
        QCOMPARE(import.weights.size(), std::size_t{2});
        for (const ImportedTensor& tensor : import.weights) {
            const std::vector<float>& given = tensor.name == "it.bias" ? bias : weight;
            QVERIFY(std::ranges::equal(std::as_bytes(std::span(tensor.numbers)),
                                       std::as_bytes(std::span(given))));
        }
        QCOMPARE(refusalOf(
                     [&] {
                         (void)exportOnnx({.design = oneLayer("layer_norm"),
                                           .weights = here() / "w.safetensors"});
                     },
                     ErrorCode::format)
                         .find("w.safetensors") != std::string::npos,
                 true);
    }

    /// Without metadata the nodes are imported, and compute the same.
    void everyKindIsExportedOrRefused() {
        const auto registry = makeRegistry();
        std::string refused;
        std::string notImported;
        std::string faults;
        int compared = 0;
        for (const LayerKind* kind : registry->layers.all()) {
            if (kind->info.category == "loss" || kind->info.category == "metric" ||
                kind->info.category == "input") {
                continue;
            }
            for (std::size_t k = 0; k < kind->samples.size(); ++k) {
                const LayerSample& sample = kind->samples[k];
                if (k > 0 && isOfOneOperand(kind->info) &&
                    sample.attributes == kind->samples.front().attributes) {
                    continue; // only its shape is another
                }
                const std::string name = kind->info.kind + " " + std::to_string(k);
                const OnnxExport made = exportOnnx({.design = designOf(*kind, sample)});
                if (!made.refusals.empty()) {
                    refused += name + ": " + made.refusals.front().reason + "\n";
                    continue;
                }
                const Import whole = importOf(made.model);
                const Import nodes = importOf(withoutMetadata(made.model));
                if (!nodes.linesWith(ImportOutcome::refused).empty()) {
                    notImported += name + ": " + textOf(nodes, ImportOutcome::refused);
                    continue;
                }
                const std::vector<GivenInput> inputs = inputsOf(sample);
                const std::string fault = differences(weft::test::apply(whole, here(), inputs),
                                                      weft::test::apply(nodes, here(), inputs));
                faults += fault.empty() ? "" : name + ": " + fault + "\n";
                ++compared;
            }
        }
        QVERIFY2(faults.empty(), faults.c_str());
        // A new kind may only add to them.
        constexpr int least = 92;
        QVERIFY2(compared >= least,
                 (std::to_string(compared) + " are exported and imported\n" + refused + notImported)
                     .c_str());
    }

    void severalSetsOfWeightsAreRefused() {
        const OnnxExport made = exportOnnx(
            {.design = oneLayer("dense", {{"units", std::int64_t{3}}, {"per_element", true}})});
        QCOMPARE(made.refusals.size(), std::size_t{1});
        QCOMPARE(toString(made.refusals.front()),
                 std::string("layer it (dense): per_element gives it several sets of weights, "
                             "which no operator of ONNX has; mute the layer to export the "
                             "others"));
    }

    void aChangedGraphIsImportedByItsNodes() {
        const OnnxExport made = exportOnnx({.design = dense()});
        wire::Model model = parsed(made.model);
        for (wire::Node& node : *model.mutable_graph()->mutable_node()) {
            if (node.op_type() == "Relu") {
                node.set_op_type("Tanh");
            }
        }
        const Import import = importOf(model.SerializeAsString());
        QVERIFY2(
            textOf(import, ImportOutcome::remark)
                    .find("the design in its metadata is of another graph: a program changed the "
                          "model after its export; its nodes are imported instead") !=
                std::string::npos,
            textOf(import, ImportOutcome::remark).c_str());
        QCOMPARE(import.design.network.layers.back().kind, std::string("tanh"));
    }

    void aModelThatIsTrainedFurtherKeepsItsDesign() {
        const OnnxExport made = exportOnnx({.design = dense()});
        wire::Model model = parsed(made.model);
        const std::vector<float> trained = someNumbers(12, 40);
        for (wire::Tensor& tensor : *model.mutable_graph()->mutable_initializer()) {
            if (tensor.name() == "it.weight") {
                tensor.clear_raw_data();
                tensor.mutable_float_data()->Add(trained.begin(), trained.end());
            }
        }
        const Import import = importOf(model.SerializeAsString());
        QCOMPARE(toText(import.design), toText(dense()));
        const auto weight = std::ranges::find(import.weights, "it.weight", &ImportedTensor::name);
        QVERIFY(weight != import.weights.end() && weight->numbers == trained);
    }

    void aDamagedDesignIsNotTaken() {
        wire::Model model = parsed(exportOnnx({.design = dense()}).model);
        for (wire::Entry& entry : *model.mutable_metadata_props()) {
            if (entry.key() == "weft.design") {
                entry.set_value("{\"weft\": 1, \"layers\": [");
            }
        }
        const Import import = importOf(model.SerializeAsString());
        QVERIFY2(textOf(import, ImportOutcome::remark).find("cannot be used") != std::string::npos,
                 textOf(import, ImportOutcome::remark).c_str());
        QCOMPARE(import.design.network.layers.size(), std::size_t{3});
    }

    void aNameThatLeadsElsewhereIsNoPath() {
        Design design = dense();
        design.name = "../../outside";
        const Import import = importOf(exportOnnx({.design = design}).model);
        QCOMPARE(import.design.name, design.name);
        const fs::path file = writeImport(import, here() / "inside");
        QCOMPARE(file.parent_path(), here() / "inside");
        QVERIFY(fs::exists(file));
    }

    void aPartOfTheModelIsTakenFromItsNodes() {
        std::ofstream(here() / "m.onnx", std::ios::binary) << exportOnnx({.design = dense()}).model;
        const Import import = importOnnx({.file = here() / "m.onnx", .until = "it.y"});
        QCOMPARE(import.design.network.layers.size(), std::size_t{2});
        QVERIFY(textOf(import, ImportOutcome::remark).find("--until") != std::string::npos);
    }

    void geluIsSpelledOutBelowOpset20() {
        for (const std::int64_t opset : {17, 19, 20, 24}) {
            const std::string model =
                exportOnnx({.design = oneLayer("gelu"), .opset = opset}).model;
            QCOMPARE(uses(model, "Gelu"), opset >= 20);
            QCOMPARE(uses(model, "Erf"), opset < 20);
            const Import import = importOf(withoutMetadata(model));
            QCOMPARE(import.design.network.layers.size(), std::size_t{2});
            QCOMPARE(import.design.network.layers.back().kind, std::string("gelu"));
        }
    }

    void theDefaultIsOpset17WithIr8() {
        const wire::Model model = parsed(exportOnnx({.design = dense()}).model);
        QCOMPARE(model.ir_version(), 8);
        QCOMPARE(model.opset_import(0).version(), 17);
        QCOMPARE(model.configuration_size(), 0);
        const wire::Dims& dims = model.graph().input(0).type().tensor_type().shape();
        QCOMPARE(dims.dim(0).dim_param(), std::string("batch"));
        QCOMPARE(dims.dim(1).dim_value(), 4);
        for (const std::int64_t opset : {16, 25}) {
            QVERIFY(refusalOf([&] { (void)exportOnnx({.design = dense(), .opset = opset}); },
                              ErrorCode::usage)
                        .find("17 to 24") != std::string::npos);
        }
    }

    void assignmentsStandInTheFieldsForSeveralDevices() {
        Design design = dense();
        design.network.layers[1].attributes.set("units", std::int64_t{6});
        design.devices = {{.name = "cpu:0"}, {.name = "cpu:1"}};
        design.network.layers[1].assignment = Assignment{.words = {AxisWord::modelStack}};
        const wire::Model model = parsed(exportOnnx({.design = design, .opset = 23}).model);
        QCOMPARE(model.ir_version(), 11);
        QCOMPARE(model.configuration_size(), 1);
        QCOMPARE(model.configuration(0).num_devices(), 2);
        QCOMPARE(model.configuration(0).device(1), std::string("cpu:1"));
        const wire::Node& gemm = model.graph().node(0);
        QCOMPARE(gemm.device_configurations_size(), 1);
        QCOMPARE(gemm.device_configurations(0).configuration_id(), model.configuration(0).name());
        const auto& specs = gemm.device_configurations(0).sharding_spec();
        const auto shardingOf = [&](const char* tensor) {
            return std::ranges::find_if(
                specs, [&](const wire::Sharding& each) { return each.tensor_name() == tensor; });
        };
        const auto weight = shardingOf("it.weight");
        QVERIFY(weight != specs.end());
        QCOMPARE(weight->device_size(), 2);
        QCOMPARE(weight->device(1), 1);
        QCOMPARE(weight->sharded_dim_size(), 1);
        QCOMPARE(weight->sharded_dim(0).axis(), 0);
        QCOMPARE(weight->sharded_dim(0).simple_sharding(0).dim_value(), 6);
        QCOMPARE(weight->sharded_dim(0).simple_sharding(0).num_shards(), 2);
        const auto result = shardingOf("it.y");
        QVERIFY(result != specs.end());
        QCOMPARE(result->sharded_dim(0).axis(), 1);
    }
};

std::unique_ptr<QObject> makeTestOnnxExport() { return std::make_unique<TestOnnxExport>(); }
#include "tst_onnx_export.moc"
