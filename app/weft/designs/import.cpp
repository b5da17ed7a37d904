// SPDX-License-Identifier: Apache-2.0
// weft import: makes a design and its weights from an ONNX model.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/import.h>
#include <weft/output_file.h>

#include <algorithm>
#include <charconv>
#include <memory>

namespace weft {

namespace {

struct ImportOptions {
    std::string file;
    std::string out;
    std::string until;
    std::string report;
    std::vector<std::string> sizes;
    std::vector<std::string> constants;
};

/// Splits "NAME=VALUE".
std::pair<std::string, std::string> pairOf(const std::string& text, const char* option) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw Error(ErrorCode::usage, {}, fmt::format("{} {} has no name", option, text),
                    fmt::format("write {} NAME=VALUE", option));
    }
    return {text.substr(0, equals), text.substr(equals + 1)};
}

ImportRequest requestOf(const ImportOptions& options) {
    ImportRequest request{.file = options.file, .until = options.until};
    for (const std::string& text : options.sizes) {
        const auto [name, value] = pairOf(text, "--size");
        std::int64_t size = 0;
        const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), size);
        if (code != std::errc() || end != value.data() + value.size() || size < 1) {
            throw Error(ErrorCode::usage, {}, fmt::format("{} is no size", value),
                        "give a whole number of at least 1");
        }
        request.sizes[name] = size;
    }
    for (const std::string& text : options.constants) {
        const auto [name, file] = pairOf(text, "--set");
        request.constants[name] = file;
    }
    return request;
}

int refuse(const std::string& file, const std::vector<ImportLine>& refused) {
    // A model of many nodes of one kind need not fill the screen; the report has every line.
    constexpr std::size_t most = 500;
    warn("{}: {} of its parts cannot be imported, so that nothing is written", printable(file),
         refused.size());
    for (std::size_t k = 0; k < std::min(most, refused.size()); ++k) {
        printError(toString(refused[k]));
    }
    if (refused.size() > most) {
        warn("and {} more, which --report FILE lists", refused.size() - most);
    }
    return designError;
}

int run(const ImportOptions& options) {
    const Import import = importOnnx(requestOf(options));
    if (!options.report.empty()) {
        writeOutput(options.report, reportOf(import));
    }
    const std::vector<ImportLine> refused = import.linesWith(ImportOutcome::refused);
    if (!refused.empty()) {
        return refuse(options.file, refused);
    }
    const std::filesystem::path folder = options.out.empty() ? std::filesystem::path(nameOf(import))
                                                             : std::filesystem::path(options.out);
    const std::filesystem::path design = writeImport(import, folder);
    for (const ImportLine& line : import.linesWith(ImportOutcome::remark)) {
        warn("{}", toString(line));
    }
    const std::string shown = printable(design.string());
    say("{}: {} layers and {} tensors of weights; apply it with weft infer {} --weights {} "
        "--input FILE\n",
        shown, import.design.network.layers.size(), import.weights.size(), shown,
        printable((folder / "weights.safetensors").string()));
    return success;
}

} // namespace

std::function<int()> addImport(CommandLine& line) {
    Verb verb = line.verb("import", "make a design and its weights from an ONNX model");
    verb.footer(
        "Writes NAME.weft and weights.safetensors. Every node becomes a layer, is computed at "
        "import or is refused by name; nothing is dropped silently. If a node is refused, nothing "
        "is written and the exit code is 3. A model that weft export wrote gives the design that "
        "it was exported from, unless another program changed it.\n"
        "Example: weft import lenet.onnx --out lenet");
    auto options = std::make_shared<ImportOptions>();
    verb.option("MODEL.onnx", options->file, "the model, opset 6 to 28").required();
    verb.option("--out", options->out,
                "folder to write, new or empty; default: the name of the model");
    verb.option("--size", options->sizes,
                "size of an open dim: NAME=N, or INPUT.POSITION=N; repeatable");
    verb.option("--set", options->constants,
                "make an input constant: NAME=FILE (.npy, or .pb of an ONNX tensor); repeatable");
    verb.option("--until", options->until, "import only up to this node or value");
    verb.option("--report", options->report,
                "write what became of each node: converted, recognised, folded, left out, refused");
    return [options] { return run(*options); };
}

} // namespace weft
