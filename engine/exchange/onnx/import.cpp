// SPDX-License-Identifier: Apache-2.0
// The report of an import, and the files that it writes.
#include "base/files/files.h"
#include "data/arrays/safetensors.h"
#include "exchange/onnx/layer_names.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/import.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::array outcomes = {ImportOutcome::converted, ImportOutcome::recognised,
                                 ImportOutcome::folded,    ImportOutcome::leftOut,
                                 ImportOutcome::remark,    ImportOutcome::refused};

void requireEmpty(const fs::path& folder) {
    std::error_code failed;
    const fs::file_status status = fs::status(folder, failed);
    const bool isFree = status.type() == fs::file_type::not_found ||
                        (fs::is_directory(status) && fs::is_empty(folder, failed) && !failed);
    if (!isFree) {
        throw Error(ErrorCode::file, Where{.file = folder.string()},
                    fs::is_directory(status) ? "is not empty" : "is not a folder",
                    "name a new or an empty folder with --out");
    }
}

void writeWeights(const std::vector<ImportedTensor>& weights, const fs::path& file) {
    std::vector<TensorHeading> headings;
    std::ranges::transform(weights, std::back_inserter(headings), [](const ImportedTensor& tensor) {
        return TensorHeading{.name = tensor.name, .dtype = DType::f32, .shape = tensor.shape};
    });
    SafetensorsWriter writer(file, headings);
    for (const ImportedTensor& tensor : weights) {
        writer.write(std::as_bytes(std::span(tensor.numbers)));
    }
    writer.finish();
}

} // namespace

std::string_view nameOf(ImportOutcome outcome) {
    switch (outcome) {
    case ImportOutcome::converted: return "converted";
    case ImportOutcome::recognised: return "recognised";
    case ImportOutcome::folded: return "folded";
    case ImportOutcome::leftOut: return "left out";
    case ImportOutcome::remark: return "remark";
    case ImportOutcome::refused: return "refused";
    }
    return "remark";
}

std::string toString(const ImportLine& line) {
    const bool canEndBefore = line.outcome == ImportOutcome::refused && !line.end.empty();
    return fmt::format("{}: {}{}", printable(line.subject), printable(line.text),
                       canEndBefore
                           ? "; end the import before it with --until " + printable(line.end)
                           : std::string());
}

std::vector<ImportLine> Import::linesWith(ImportOutcome outcome) const {
    std::vector<ImportLine> found;
    std::ranges::copy_if(lines, std::back_inserter(found),
                         [&](const ImportLine& line) { return line.outcome == outcome; });
    return found;
}

std::string reportOf(const Import& import) {
    std::string text;
    for (const ImportLine& line : import.lines) {
        text += fmt::format("{:<11}{}\n", nameOf(line.outcome), toString(line));
    }
    for (const ImportedOutput& output : import.outputs) {
        text += fmt::format("{:<11}output {}: {}\n", "", printable(output.name),
                            printable(output.port));
    }
    for (const ImportOutcome outcome : outcomes) {
        const auto count = std::ranges::count(import.lines, outcome, &ImportLine::outcome);
        if (count > 0) {
            text += fmt::format("{} {}\n", count, nameOf(outcome));
        }
    }
    return text;
}

std::string nameOf(const Import& import) {
    return onnx::validLayerName(import.design.name, "design");
}

fs::path writeImport(const Import& import, const fs::path& folder) {
    if (!import.linesWith(ImportOutcome::refused).empty()) {
        throw Error(ErrorCode::design, {}, "nodes of the model are refused",
                    "end the import before them, or change the model");
    }
    requireEmpty(folder);
    verify(import.design);
    makeFolder(folder);
    writeWeights(import.weights, folder / "weights.safetensors");
    fs::path file = folder / (nameOf(import) + ".weft");
    saveDesign(import.design, file);
    return file;
}

} // namespace weft
