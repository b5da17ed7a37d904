// SPDX-License-Identifier: Apache-2.0
// The models of libonnx-testdata: each is imported and computes what it should, or is refused with
// a reason.
#include "engine/exchange/onnx/written_model.h"
#include "exchange/onnx/model.h"
#include "support/test_main.h"
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace weft;
using namespace weft::test;

namespace fs = std::filesystem;

namespace {

const fs::path casesFolder = "/usr/share/libonnx-testdata/data";

struct Outcome {
    bool isImported = false;
    std::string fault; ///< what is wrong with the import or with the refusal
};

} // namespace

class TestOnnxCases : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    [[nodiscard]] fs::path here() const { return folder_.path().toStdString(); }

    /// Imports with all inputs but the first as constants, if it cannot be imported otherwise: the
    /// cases of single operators give weights as inputs.
    [[nodiscard]] Import imported(const fs::path& folder, std::set<std::string>& constants) const {
        ImportRequest request{.file = folder / "model.onnx"};
        Import import = importOnnx(request);
        if (import.linesWith(ImportOutcome::refused).empty()) {
            return import;
        }
        const onnx::Model model = onnx::readModel(request.file);
        for (std::size_t k = 1; k < model.inputs.size(); ++k) {
            const fs::path file =
                folder / "test_data_set_0" / ("input_" + std::to_string(k) + ".pb");
            if (!model.inputs[k].isTensor || !fs::exists(file)) {
                return import;
            }
            const onnx::Tensor tensor = onnx::readTensor(file);
            if (tensor.size() == 0) { // empty, or made of text
                return import;
            }
            request.constants[model.inputs[k].name] = file;
        }
        if (request.constants.empty()) {
            return import;
        }
        const Import second = importOnnx(request);
        if (!second.linesWith(ImportOutcome::refused).empty()) {
            return import;
        }
        for (const auto& [name, file] : request.constants) {
            constants.insert(name);
        }
        return second;
    }

    /// Compares the outputs of the design with those of the case.
    [[nodiscard]] std::string difference(const fs::path& folder, const Import& import,
                                         const std::set<std::string>& constants) const {
        const onnx::Model model = onnx::readModel(folder / "model.onnx");
        const std::vector<ImportLine> leftOut = import.linesWith(ImportOutcome::leftOut);
        std::vector<GivenInput> inputs;
        std::size_t next = 0;
        for (std::size_t k = 0; k < model.inputs.size(); ++k) {
            if (constants.contains(model.inputs[k].name) ||
                std::ranges::find(leftOut, "input " + model.inputs[k].name, &ImportLine::subject) !=
                    leftOut.end()) {
                continue;
            }
            while (next < import.design.network.layers.size() &&
                   import.design.network.layers[next].kind != "input") {
                ++next;
            }
            const onnx::Tensor tensor = onnx::readTensor(folder / "test_data_set_0" /
                                                         ("input_" + std::to_string(k) + ".pb"));
            inputs.push_back({.layer = import.design.network.layers.at(next++).name,
                              .shape = tensor.shape,
                              .reals = tensor.reals,
                              .wholes = tensor.wholes});
        }
        const InferenceResult result = apply(import, here(), inputs);
        std::size_t compared = 0;
        for (std::size_t k = 0; k < model.outputs.size(); ++k) {
            const auto known =
                std::ranges::find(import.outputs, model.outputs[k].name, &ImportedOutput::name);
            const auto output =
                known == import.outputs.end()
                    ? result.outputs.end()
                    : std::ranges::find(result.outputs, known->port, &InferenceOutput::name);
            if (output == result.outputs.end()) {
                continue;
            }
            const onnx::Tensor expected = onnx::readTensor(folder / "test_data_set_0" /
                                                           ("output_" + std::to_string(k) + ".pb"));
            if (output->shape != expected.shape) {
                return "shape " + toString(output->shape) + " instead of " +
                       toString(expected.shape);
            }
            for (std::size_t i = 0; i < output->numbers.size(); ++i) {
                const double wanted = expected.real(i);
                const double given = static_cast<double>(output->numbers[i]);
                if (given == wanted || (std::isnan(given) && std::isnan(wanted))) {
                    continue;
                }
                if (!(std::abs(given - wanted) <= 2e-4 + 2e-4 * std::abs(wanted))) {
                    return "element " + std::to_string(i) + " is " + std::to_string(given) +
                           " instead of " + std::to_string(wanted);
                }
            }
            ++compared;
        }
        return compared == 0 ? "no output was compared" : "";
    }

    [[nodiscard]] Outcome outcomeOf(const fs::path& folder) const {
        try {
            std::set<std::string> constants;
            const Import import = imported(folder, constants);
            const std::vector<ImportLine> refused = import.linesWith(ImportOutcome::refused);
            if (refused.empty()) {
                return {true, difference(folder, import, constants)};
            }
            const bool areNamed = std::ranges::all_of(refused, [](const ImportLine& line) {
                return !line.subject.empty() && !line.text.empty();
            });
            return {false, areNamed ? "" : "a refusal names nothing"};
        } catch (const Error& error) {
            const bool isOfFile = error.code() == ErrorCode::format &&
                                  error.where().file == (folder / "model.onnx").string();
            return {false, isOfFile && !error.remedy().empty() ? "" : error.what()};
        } catch (const std::exception& exception) {
            return {false, exception.what()};
        }
    }

    /// Returns the names of the cases that are imported; the others are refused by name.
    [[nodiscard]] std::set<std::string> tryAll(const std::string& group,
                                               std::string& faults) const {
        std::set<std::string> imported;
        for (const auto& entry : fs::directory_iterator(casesFolder / group)) {
            const Outcome outcome = outcomeOf(entry.path());
            const std::string name = entry.path().filename().string();
            if (!outcome.fault.empty()) {
                faults += name + ": " + outcome.fault + "\n";
            } else if (outcome.isImported) {
                imported.insert(name);
            }
        }
        return imported;
    }

private Q_SLOTS:
    void initTestCase() {
        if (!fs::exists(casesFolder)) {
            QSKIP("no cases: packaging/install installs libonnx-testdata");
        }
    }

    void computeWhatTheyShouldOrAreRefused_data() {
        QTest::addColumn<QString>("group");
        QTest::addColumn<int>("least");
        // Cases that today's layer kinds can express. A new kind may only add to them.
        QTest::newRow("node") << "node" << 208;
        QTest::newRow("pytorch-converted") << "pytorch-converted" << 51;
        QTest::newRow("pytorch-operator") << "pytorch-operator" << 23;
        QTest::newRow("simple") << "simple" << 2;
    }
    void computeWhatTheyShouldOrAreRefused() {
        QFETCH(const QString, group);
        QFETCH(const int, least);
        std::string faults;
        const std::set<std::string> imported = tryAll(group.toStdString(), faults);
        if (qEnvironmentVariableIsSet("WEFT_SHOW_CASES")) {
            for (const std::string& name : imported) {
                qInfo("%s", name.c_str());
            }
        }
        QVERIFY2(faults.empty(), faults.c_str());
        QVERIFY2(static_cast<int>(imported.size()) >= least,
                 qPrintable(QString("%1 are imported").arg(imported.size())));
    }
};

std::unique_ptr<QObject> makeTestOnnxCases() { return std::make_unique<TestOnnxCases>(); }
#include "tst_onnx_cases.moc"
