// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a source or generator must declare, and what it is given to open. One file per kind in
// sources/ or generators/, which defines `void <kind>(SourceList&)`; the list is const after start.

#include "data/offered_files.h"
#include "data/source.h"
#include <weft/attributes.h>
#include <weft/diagnostics.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct SourceKind;

/// Where files named in a design are looked for: beside the design, then in the others in order.
struct DataFolders {
    std::filesystem::path base = {};
    std::vector<std::filesystem::path> others = {};
};

/// The sets of examples of one source; all have the same fields.
struct Data {
    SourcePointer training;
    SourcePointer validation = {}; ///< nullptr: there is none
    SourcePointer test = {};       ///< nullptr: there is none
    std::vector<std::string> classNames = {};
    /// Problems in the files that the description has read, with fixes.
    std::vector<Diagnostic> problems = {};
};

/// Given to a kind to open. Attributes are complete and of the declared types.
struct OpenRequest {
    const SourceKind& kind;
    const Attributes& attributes;
    const DataFolders& folders;
    /// Share of the training examples to hold out. A kind that must cut in its own way does so; for
    /// the others `open` does it afterwards.
    double heldOut = 0;
    /// Only sizes, fields and names are wanted: large packed files stay packed, and nothing is read
    /// afterwards.
    bool describe = false;
    /// Takes the path of each file that is opened; nullptr: nobody asks.
    std::vector<std::filesystem::path>* opened = nullptr;

    /// The file of that name (in the attribute `folder`, where the kind has one), or Error{file}
    /// that says where it was looked for and how to get it. With `packed`, the file's .gz serves
    /// too.
    [[nodiscard]] std::filesystem::path locate(const std::string& name, bool packed = false) const;
    /// The design is at fault: Error{design} that names the source and the attribute.
    [[noreturn]] void refuse(const std::string& attribute, const std::string& problem,
                             const std::string& remedy) const;
};

struct SourceKind {
    std::string name; ///< as it stands in the file: "idx"
    std::string title;
    std::string help;
    std::string origin = {}; ///< how to get such files, for the message when they are missing
    std::vector<AttributeSpec> attributes;
    Data (*open)(const OpenRequest&) = nullptr;
    /// What is offered in place of the files that the attributes name, as they say it is read: all
    /// of it in order, and nothing drawn. nullptr: it reads none but its own.
    SourcePointer (*openOffered)(const OpenRequest&, const std::filesystem::path&) = nullptr;
    /// The attributes under which files that are offered are data of this kind; none: they are
    /// not. nullptr: it reads no files.
    std::optional<Attributes> (*recognise)(const OfferedFiles&) = nullptr;
};

using SourceList = std::vector<SourceKind>;

/// Examples that a generator makes: a share of more takes minutes to draw.
inline constexpr double mostMade = 1e8;

/// "a, b" -> {"a", "b"}
[[nodiscard]] std::vector<std::string> listed(std::string_view text);

} // namespace weft
