// SPDX-License-Identifier: Apache-2.0
#include "base/text/json.h"
#include "data/arrays/array.h"
#include "data/arrays/safetensors.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

namespace weft {

namespace {

constexpr std::int64_t longestSafetensorsHeader = 100'000'000;
constexpr std::size_t mostSafetensorsDims = 64;

constexpr std::array<std::pair<std::string_view, DType>, 8> dtypes = {{{"F32", DType::f32},
                                                                       {"F64", DType::f64},
                                                                       {"F16", DType::f16},
                                                                       {"BF16", DType::bf16},
                                                                       {"I64", DType::i64},
                                                                       {"I32", DType::i32},
                                                                       {"U8", DType::u8},
                                                                       {"BOOL", DType::u8}}};

[[noreturn]] void
failSafetensors(const FileBytes& file, std::int64_t offset, const std::string& what,
                const std::string& remedy = "save the file again, or download it again") {
    throw Error(ErrorCode::format, {.file = file.path().string(), .offset = offset}, what, remedy);
}

std::int64_t headerLength(const FileBytes& file) {
    if (file.isPacked()) {
        failSafetensors(file, 0, "is packed with gzip", "unpack it with gunzip");
    }
    const std::vector<std::byte> head = file.head(8);
    if (head.size() < 8) {
        failSafetensors(file, 0, "is too short for a safetensors file");
    }
    std::uint64_t length = 0;
    for (std::size_t i = 8; i-- > 0;) {
        length = (length << 8U) | std::to_integer<std::uint64_t>(head[i]);
    }
    if (length >
        static_cast<std::uint64_t>(std::min(longestSafetensorsHeader, file.sizeOnDisk() - 8))) {
        failSafetensors(file, 0, fmt::format("claims a header of {} bytes", length));
    }
    return static_cast<std::int64_t>(length);
}

/// Returns the non-negative integers of a list.
std::optional<std::vector<std::int64_t>> naturals(const Json& value) {
    if (!value.is_array() || value.size() > mostSafetensorsDims) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const Json& number : value) {
        if (!number.is_number_unsigned() ||
            number.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
            return std::nullopt;
        }
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

TensorEntry parseEntry(const FileBytes& file, const std::string& name, const Json& value,
                       std::int64_t dataBegin) {
    const auto failEntry = [&](const std::string& what) {
        failSafetensors(file, 8, fmt::format("tensor '{}': {}", name, what));
    };
    if (!value.is_object() || value.size() != 3 || !value.contains("dtype") ||
        !value.contains("shape") || !value.contains("data_offsets") ||
        !value.at("dtype").is_string()) {
        failEntry("is not described by dtype, shape and data_offsets");
    }
    const auto& word = value.at("dtype").get_ref<const std::string&>();
    const auto* named = std::find_if(dtypes.begin(), dtypes.end(),
                                     [&](const auto& pair) { return pair.first == word; });
    if (named == dtypes.end()) {
        failSafetensors(file, 8, fmt::format("tensor '{}' has the dtype {}", name, word),
                        "save it as F32, F64, F16, BF16, I64, I32, U8 or BOOL");
    }
    const auto shape = naturals(value.at("shape"));
    const auto offsets = naturals(value.at("data_offsets"));
    if (!shape || !offsets || offsets->size() != 2) {
        failEntry("has a shape or offsets that are not whole numbers");
    }
    const auto bytes = bytesOf(*shape, byteSize(named->second));
    const std::int64_t room = file.sizeOnDisk() - dataBegin;
    const std::int64_t begin = (*offsets)[0];
    const std::int64_t end = (*offsets)[1];
    if (!bytes || begin > end || end > room || end - begin != *bytes) {
        failEntry(fmt::format("says {} {} from byte {} to {} of {}", word, toString(*shape), begin,
                              end, room));
    }
    return {name, named->second, *shape, dataBegin + begin, dataBegin + end};
}

std::map<std::string, std::string> parseMetadata(const FileBytes& file, const Json& value) {
    std::map<std::string, std::string> metadata;
    if (!value.is_object()) {
        failSafetensors(file, 8, "has a __metadata__ that is not an object");
    }
    for (const auto& [key, text] : value.items()) {
        if (!text.is_string()) {
            failSafetensors(file, 8,
                            fmt::format("has a __metadata__ whose '{}' is not a text", key));
        }
        metadata.emplace(key, text.get<std::string>());
    }
    return metadata;
}

/// Checks that the tensors fill the file after the header without gaps.
void checkGaps(const FileBytes& file, const std::vector<TensorEntry>& entries,
               std::int64_t dataBegin) {
    std::int64_t at = dataBegin;
    for (const TensorEntry& entry : entries) {
        if (entry.begin != at) {
            failSafetensors(file, at,
                            fmt::format("tensor '{}' {} what is before it", entry.name,
                                        entry.begin < at ? "overlaps" : "leaves a gap after"));
        }
        at = entry.end;
    }
    if (at != file.sizeOnDisk()) {
        failSafetensors(
            file, at, fmt::format("has {} bytes that belong to no tensor", file.sizeOnDisk() - at));
    }
}

} // namespace

SafetensorsReader::SafetensorsReader(const std::filesystem::path& path) : file_(path) {
    const std::int64_t length = headerLength(file_);
    std::string text(static_cast<std::size_t>(length), ' ');
    file_.read(8, std::as_writable_bytes(std::span(text)));
    if (!text.starts_with('{')) {
        failSafetensors(file_, 8, "has no header that starts with '{'");
    }
    const Json header = parseJson(
        text, path.string(), {.bytes = text.size(), .depth = 4, .memory = std::size_t{40} << 20U});
    for (const auto& [name, value] : header.items()) {
        if (name == "__metadata__") {
            metadata_ = parseMetadata(file_, value);
        } else {
            entries_.push_back(parseEntry(file_, name, value, 8 + length));
        }
    }
    // Stable, so that empty tensors at one offset keep the header's order.
    std::stable_sort(entries_.begin(), entries_.end(), [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    checkGaps(file_, entries_, 8 + length);
    sortedByName_.resize(entries_.size());
    std::iota(sortedByName_.begin(), sortedByName_.end(), std::size_t{0});
    std::sort(sortedByName_.begin(), sortedByName_.end(),
              [this](std::size_t a, std::size_t b) { return entries_[a].name < entries_[b].name; });
}

const TensorEntry* SafetensorsReader::find(std::string_view name) const {
    const auto at = std::lower_bound(sortedByName_.begin(), sortedByName_.end(), name,
                                     [this](std::size_t entry, std::string_view wanted) {
                                         return entries_[entry].name < wanted;
                                     });
    return at != sortedByName_.end() && entries_[*at].name == name ? &entries_[*at] : nullptr;
}

void SafetensorsReader::read(const TensorEntry& entry, std::span<std::byte> bytes) const {
    ensure(static_cast<std::int64_t>(bytes.size()) == entry.end - entry.begin,
           "a tensor is read into as many bytes as it has");
    file_.read(entry.begin, bytes);
}

void SafetensorsReader::read(const TensorEntry& entry, std::int64_t from,
                             std::span<std::byte> bytes) const {
    ensure(from >= 0 && from + static_cast<std::int64_t>(bytes.size()) <= entry.end - entry.begin,
           "a part of a tensor lies inside it");
    file_.read(entry.begin + from, bytes);
}

} // namespace weft
