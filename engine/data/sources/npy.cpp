// SPDX-License-Identifier: Apache-2.0
// Reads NumPy arrays: every file is a field whose first dim counts the examples. Several inputs and
// targets are possible.
#include "data/arrays/example_arrays.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

Data openNpy(const OpenRequest& request) {
    return openArrays(request,
                      [&](const std::string& name) { return FileBytes(request.locate(name)); });
}

std::optional<Attributes> recogniseNpy(const OfferedFiles& files) {
    if (!files.hasEnding(".npy")) {
        return std::nullopt;
    }
    std::vector<std::string> names;
    std::ranges::copy_if(files.names, std::back_inserter(names),
                         [](const std::string& name) { return endsWith(name, ".npy"); });
    Attributes found{{"folder", files.folder.string()}};
    recogniseArrays(found, names);
    return found;
}

} // namespace

void npy(SourceList& list) {
    SourceKind kind;
    kind.name = "npy";
    kind.title = "NumPy arrays";
    kind.help =
        "NumPy arrays (.npy), one per file; the first dim is the example. Fields are named after "
        "the files, or by name=file.npy. Scale, mean and std apply to floating-point inputs.";
    kind.origin = "save the arrays with numpy.save";
    kind.attributes = {{.name = "folder",
                        .defaultValue = std::string(),
                        .help = "Folder of the files, relative to the design.",
                        .content = TextContent::folder}};
    for (auto specs :
         {arrayNameAttributes("files", ".npy", TextContent::files), arrayAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.open = openNpy;
    kind.recognise = recogniseNpy;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
