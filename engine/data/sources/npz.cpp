// SPDX-License-Identifier: Apache-2.0
// Reads the arrays of a NumPy archive: each is a field whose first dim counts the examples.
#include "data/arrays/npz.h"

#include "data/arrays/example_arrays.h"
#include <weft/error.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

Data openNpz(const OpenRequest& request) {
    const std::filesystem::path path = request.locate(request.attributes.text("file"));
    return openArrays(
        request, [&](const std::string& name) { return npzArray(path, name, request.describe); });
}

std::optional<Attributes> recogniseNpz(const OfferedFiles& files) {
    const auto file = std::ranges::find_if(
        files.names, [](const std::string& name) { return endsWith(name, ".npz"); });
    if (files.isWhole || file == files.names.end()) {
        return std::nullopt;
    }
    const std::filesystem::path path = files.folder / *file;
    Attributes found{{"file", path.string()}};
    try {
        recogniseArrays(found, npzNames(path));
    } catch (const Error&) { // the check of the design reports the error
    }
    return found;
}

} // namespace

void npz(SourceList& list) {
    SourceKind kind;
    kind.name = "npz";
    kind.title = "NumPy archive";
    kind.help = "Arrays of a NumPy archive (.npz); the first dim is the example. Fields are named "
                "after the arrays, or by name=array. The arrays that are used are unpacked into "
                "memory. Scale, mean and std apply to floating-point inputs. Arrays of objects, "
                "which NumPy pickles, are refused.";
    kind.origin = "save the arrays with numpy.savez or numpy.savez_compressed";
    kind.attributes = {{.name = "file",
                        .defaultValue = std::string(),
                        .help = "Archive, relative to the design.",
                        .required = true,
                        .content = TextContent::file}};
    for (auto specs : {arrayNameAttributes("arrays", "", TextContent::words), arrayAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.open = openNpz;
    kind.recognise = recogniseNpz;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
