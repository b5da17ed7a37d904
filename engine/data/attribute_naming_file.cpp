// SPDX-License-Identifier: Apache-2.0
#include "data/attribute_naming_file.h"

#include <algorithm>
#include <system_error>

namespace weft {

namespace {

namespace fs = std::filesystem;

std::string textOf(const Attributes& attributes, const AttributeSpec& spec) {
    const AttributeValue* value = attributes.find(spec.name);
    const auto* text = std::get_if<std::string>(value == nullptr ? &spec.defaultValue : value);
    return text == nullptr ? std::string() : *text;
}

/// True if the file of an error, relative to any folder and possibly packed, has this name.
bool isEndOf(const fs::path& file, const fs::path& name) {
    if (name.empty()) {
        return false;
    }
    auto at = file.end();
    for (auto part = name.end(); part != name.begin();) {
        --part;
        if (at == file.begin() || *--at != *part) {
            return false;
        }
    }
    return true;
}

bool isNamedBy(const AttributeSpec& spec, const std::string& text, const std::string& file) {
    const fs::path whole = fs::path(file).lexically_normal();
    const fs::path unpacked =
        whole.extension() == ".gz" ? fs::path(whole).replace_extension() : whole;
    const std::vector<std::string> names =
        spec.content == TextContent::files ? splitAtCommas(text) : std::vector<std::string>{text};
    return std::ranges::any_of(names, [&](const std::string& word) {
        const fs::path name = fs::path(word.substr(word.find('=') + 1)).lexically_normal();
        return isEndOf(whole, name) || isEndOf(unpacked, name);
    });
}

bool isThere(const DataFolders& folders, const std::string& folder) {
    std::error_code ignored;
    return fs::is_directory(folders.base / folder, ignored) ||
           std::ranges::any_of(folders.others, [&](const fs::path& other) {
               return fs::is_directory(other / folder, ignored);
           });
}

} // namespace

const AttributeSpec* attributeNamingFile(const SourceKind& kind, const Attributes& given,
                                         const DataFolders& folders, const Error& error) {
    const auto folder =
        std::ranges::find(kind.attributes, TextContent::folder, &AttributeSpec::content);
    const bool hasFolder = folder != kind.attributes.end();
    const bool isMissing = error.code() == ErrorCode::file;
    if (hasFolder && isMissing && !textOf(given, *folder).empty() &&
        !isThere(folders, textOf(given, *folder))) {
        return &*folder;
    }
    const auto named = std::ranges::find_if(kind.attributes, [&](const AttributeSpec& spec) {
        return spec.namesFiles() && spec.content != TextContent::folder &&
               isNamedBy(spec, textOf(given, spec), error.where().file);
    });
    if (named == kind.attributes.end()) {
        return hasFolder ? &*folder : nullptr;
    }
    return hasFolder && isMissing && !given.has(named->name) ? &*folder : &*named;
}

} // namespace weft
