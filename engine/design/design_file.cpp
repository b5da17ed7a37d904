// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "design/document.h"
#include "design/layout.h"
#include "design/migrate.h"
#include "design/section.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <nlohmann/json.hpp>

namespace weft {

namespace {

// Together with the design made of it, the parsed text stays below 64 MiB and 8 times the file.
constexpr JsonLimits limits = {.memory = std::size_t{32} << 20U, .memoryPerByte = 4};
constexpr std::size_t designMemory = std::size_t{16} << 20U;

std::size_t entriesOf(const Json& object, const char* key) {
    const auto list = object.find(key);
    return list != object.end() && list->is_array() ? list->size() : 0;
}

// What a network costs as a design: a hostile text of empty objects would cost far more than it
// weighs.
std::size_t networkCost(const Json& network) {
    return entriesOf(network, "layers") * sizeof(Layer) +
           entriesOf(network, "wires") * sizeof(Wire) +
           entriesOf(network, "frames") * sizeof(Frame) +
           entriesOf(network, "comments") * sizeof(Comment);
}

void limitDesign(const Json& document, std::size_t textBytes, const std::string& name) {
    std::size_t cost =
        networkCost(document) + entriesOf(document, "devices") * sizeof(DeviceDeclaration);
    if (entriesOf(document, "groups") > 0) {
        for (const Json& group : document["groups"]) {
            cost += sizeof(GroupDefinition) + (group.is_object() ? networkCost(group) : 0);
        }
    }
    if (cost > designMemory + 2 * textBytes) {
        throw Error(ErrorCode::format, {.file = name},
                    "holds more layers and wires than a text of its size should",
                    "it is not a design, or split it into groups that are used several times");
    }
}

} // namespace

LoadedDesign parseDesign(std::string_view text, const std::vector<LayerKindInfo>& kinds,
                         const std::string& name) {
    const std::string source = name.empty() ? "design" : name;
    LoadedDesign loaded;
    Json document = parseJson(text, source, limits);
    loaded.readVersion = migrate(document, source);
    limitDesign(document, text.size(), source);
    Problems problems;
    loaded.design = designFromJson(document, kinds, problems);
    loaded.diagnostics = problems.take();
    return loaded;
}

LoadedDesign loadDesign(const std::filesystem::path& file,
                        const std::vector<LayerKindInfo>& kinds) {
    return parseDesign(readFile(file, limits.bytes), kinds, file.string());
}

std::string toText(const Design& design) { return layOut(toJson(design)); }

void saveDesign(const Design& design, const std::filesystem::path& file) {
    writeFileWhole(file, toText(design));
}

} // namespace weft
