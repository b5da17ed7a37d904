// SPDX-License-Identifier: Apache-2.0
#pragma once
// The declaration of a source or generator, and its request to open. Each kind is one file in
// sources/ or generators/ that defines `void <kind>(SourceList&)`; the list is constant after
// start.

#include "data/offered_files.h"
#include "data/source.h"
#include <weft/attributes.h>
#include <weft/diagnostics.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct SourceKind;

/// Search folders for files named in a design: beside the design, then the others in order.
struct DataFolders {
    std::filesystem::path base = {};                ///< folder of the design
    std::vector<std::filesystem::path> others = {}; ///< searched next, in order
    bool operator==(const DataFolders&) const = default;
};

/// The example sets of one source; all have the same fields.
struct Data {
    SourcePointer training;        ///< examples to train on
    SourcePointer validation = {}; ///< nullptr: there is none
    SourcePointer test = {};       ///< nullptr: there is none
    std::vector<std::string> classNames = {};
    /// The class of each training example, for a split that keeps the share of every class; empty:
    /// there are no classes, or they are not known without reading the examples.
    std::vector<std::int32_t> strata = {}; ///< class per training example, for a stratified split
    std::int64_t splitSeed = 0;            ///< seed of the choice of held out examples
    std::vector<Diagnostic> problems = {}; ///< found in the inspected files, with fixes
};

/// The request to open a source. Attributes are complete and of the declared types.
struct OpenRequest {
    const SourceKind& kind;
    const Attributes& attributes; ///< complete and of the declared types
    const DataFolders& folders;   ///< where files are searched
    /// Fraction of the training examples to hold out. A kind may split in its own way; otherwise
    /// `open` splits afterwards.
    double heldOut = 0; ///< fraction of the training examples for validation
    /// True: only sizes, fields and names are needed; large packed files are not unpacked, and no
    /// examples are read.
    bool describe = false; ///< only sizes, fields and names are needed
    /// Receives the path of each opened file; may be nullptr.
    std::vector<std::filesystem::path>* opened = nullptr; ///< receives each opened file, if set
    /// Receives the files and folders that a description depends on, also those that are not there;
    /// may be nullptr. `locate` adds what it looks for; a kind adds what it finds by other means.
    std::vector<std::filesystem::path>* looked = nullptr; ///< receives files it depends on, if set

    void looksAt(const std::filesystem::path& path) const; ///< adds to `looked`
    /// Returns the path of a file (in the attribute `folder`, if the kind has one). Throws
    /// Error{file} with the searched places and how to get the file. With `packed`, also accepts
    /// the file's .gz.
    [[nodiscard]] std::filesystem::path locate(const std::string& name, bool packed = false) const;
    /// Throws Error{design} naming the source and the attribute.
    [[noreturn]] void refuse(const std::string& attribute, const std::string& problem,
                             const std::string& remedy) const;
};

struct SourceKind {          ///< declares a source or generator of data
    std::string name;        ///< name in the design file: "idx"
    std::string title;       ///< name for the user
    std::string help;        ///< what the source reads, for the user
    std::string origin = {}; ///< how to get such files, for messages when they are missing
    std::vector<AttributeSpec> attributes;
    Data (*open)(const OpenRequest&) = nullptr;
    /// Opens a file offered in place of the files that the attributes name: all examples in order,
    /// without augmentation; returns nullptr for files of another kind. nullptr: not supported.
    SourcePointer (*openOffered)(const OpenRequest&, const std::filesystem::path&) = nullptr;
    /// Returns the attributes with which offered files are data of this kind; none: they are not.
    /// nullptr: the kind reads no files.
    std::optional<Attributes> (*recognise)(const OfferedFiles&) = nullptr;
};

using SourceList = std::vector<SourceKind>;

/// Limit of generated examples: holding out a share of more takes minutes.
inline constexpr double mostGenerated = 1e8;

[[nodiscard]] std::vector<std::string> splitAtCommas(std::string_view text); ///< without blanks

} // namespace weft
