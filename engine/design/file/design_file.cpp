// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/limits.h"
#include "design/file/document.h"
#include "design/file/layout.h"
#include "design/file/migrate.h"
#include "design/file/section.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/output_file.h>

#include <nlohmann/json.hpp>

namespace weft {

namespace {

// Enough for a design of ordinary size: this many layers with a few attributes each, wired in a
// row. The parsed text and the design together stay below 192 MiB and 8 times the file.
constexpr JsonLimits textLimits = {.memory = limits::layers * 1000, .memoryPerByte = 4};
constexpr std::size_t layersMemory = limits::layers * (sizeof(Layer) + 2 * sizeof(Wire));
constexpr std::size_t othersMemory = std::size_t{16} << 20U;

std::size_t entriesOf(const Json& object, const char* key) {
    const auto list = object.find(key);
    return list != object.end() && list->is_array() ? list->size() : 0;
}

// The bytes that a text needs as a design. A malicious text of empty objects would need far more
// than its size.
struct DesignCost {
    std::size_t layers = 0; ///< bytes of layers and wires
    std::size_t others = 0; ///< bytes of everything else

    void add(const Json& network) {
        layers += entriesOf(network, "layers") * sizeof(Layer) +
                  entriesOf(network, "wires") * sizeof(Wire);
        others += entriesOf(network, "frames") * sizeof(Frame) +
                  entriesOf(network, "comments") * sizeof(Comment);
    }
};

void limitDesign(const Json& document, std::size_t textBytes, const std::string& name) {
    DesignCost cost;
    cost.add(document);
    cost.others += entriesOf(document, "devices") * sizeof(DeviceDeclaration);
    if (entriesOf(document, "groups") > 0) {
        for (const Json& group : document["groups"]) {
            cost.others += sizeof(GroupDefinition);
            if (group.is_object()) {
                cost.add(group);
            }
        }
    }
    if (cost.layers > layersMemory + 2 * textBytes || cost.others > othersMemory + 2 * textBytes) {
        throw Error(ErrorCode::format, {.file = name},
                    "contains more layers and wires than are plausible for the size of the file",
                    "check that this is a design; a large design can define repeated parts once, "
                    "as groups");
    }
}

} // namespace

LoadedDesign parseDesign(std::string_view text, const std::vector<LayerKindInfo>& kinds,
                         const std::string& name) {
    const std::string source = name.empty() ? "design" : name;
    LoadedDesign loaded;
    Json document = parseJson(text, source, textLimits);
    loaded.readVersion = migrate(document, source);
    limitDesign(document, text.size(), source);
    Problems problems;
    loaded.design = designFromJson(document, kinds, problems);
    loaded.diagnostics = problems.take();
    return loaded;
}

LoadedDesign loadDesign(const std::filesystem::path& file,
                        const std::vector<LayerKindInfo>& kinds) {
    return parseDesign(readFile(file, textLimits.bytes), kinds, file.string());
}

std::string toText(const Design& design) { return layOut(toJson(design)); }

void saveDesign(const Design& design, const std::filesystem::path& file) {
    writeOutput(file, toText(design));
}

} // namespace weft
