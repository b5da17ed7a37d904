// SPDX-License-Identifier: Apache-2.0
#pragma once
// Imports an ONNX model: its nodes become the layers of a design, its constants the weights. What
// has no exact layer is refused by node, all refusals at once.

#include <weft/design.h>
#include <weft/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct ImportRequest {
    std::filesystem::path file;
    std::map<std::string, std::int64_t> sizes = {}; ///< open dim, "height" or "input.2" -> size
    std::map<std::string, std::filesystem::path> constants = {}; ///< input -> .npy or .pb file
    std::string until = {}; ///< value or node that ends the import; empty: all
};

enum class ImportOutcome : std::uint8_t {
    converted,  ///< became a layer
    recognised, ///< became a layer together with other nodes
    folded,     ///< was computed at import, or changes nothing
    leftOut,    ///< no output depends on it
    remark,     ///< something to know
    refused     ///< has no exact layer
};
[[nodiscard]] std::string_view nameOf(ImportOutcome outcome);

/// What became of a node, or of the model.
struct ImportLine {
    ImportOutcome outcome = ImportOutcome::remark;
    std::string subject; ///< "node /conv1/Conv (Conv)", "input x"
    std::string text;    ///< "conv2d conv1", or why it is refused
    /// `ImportRequest::until` that ends the import after this node, or before it if it is refused;
    /// empty: none does.
    std::string end = {};
    bool operator==(const ImportLine&) const = default;
};
[[nodiscard]] std::string toString(const ImportLine& line);

/// A tensor of the weights file: "conv1.weight".
struct ImportedTensor {
    std::string name; ///< "conv1.weight"
    Shape shape;
    std::vector<float> numbers;
};

/// An output of the model and the layer port that computes it.
struct ImportedOutput {
    std::string name; ///< name in the model
    std::string port; ///< "fc2.y"
    Shape shape = {}; ///< shape of one example
    bool operator==(const ImportedOutput&) const = default;
};

struct Import {
    Design design;
    std::vector<ImportedTensor> weights; ///< tensors of the weights file
    std::vector<ImportedOutput> outputs;
    std::vector<ImportLine> lines; ///< in the order of the nodes
    [[nodiscard]] std::vector<ImportLine> linesWith(ImportOutcome outcome) const;
};

/// False if this build neither reads nor writes ONNX.
[[nodiscard]] bool readsOnnx();

/// Reads and converts a model. One that Weft exported contains its design, which is taken as it is
/// unless the model has changed since. If a line is refused, the design is incomplete. Throws
/// Error{format} naming the file, and the node if there is one, if the file is damaged;
/// Error{usage} for sizes, constants or an end that do not exist; Error{file} if this build has no
/// ONNX reader.
[[nodiscard]] Import importOnnx(const ImportRequest& request);

/// Returns the report as text, a line per node, with the counts of each outcome at the end.
[[nodiscard]] std::string reportOf(const Import& import);

/// Returns the name of the design as the name of a file, without what leads to other folders.
[[nodiscard]] std::string nameOf(const Import& import); ///< NAME of NAME.weft

/// Writes NAME.weft and weights.safetensors to a folder that is new or empty. Throws Error{file}
/// if it is not, and Error{design} if a node is refused. Returns the path of the design.
std::filesystem::path writeImport(const Import& import, const std::filesystem::path& folder);

} // namespace weft
