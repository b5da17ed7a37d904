// SPDX-License-Identifier: Apache-2.0
// Reads characters of a text: windows of ids, and for each id the next character's id. The
// vocabulary is the occurring bytes, in order. The end of the text is held out, because random
// windows would overlap.
#include "data/file_bytes.h"
#include "data/source_kind.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

constexpr std::int32_t unknownId = -1;
/// Longer texts are not scanned if only shapes are needed.
constexpr std::int64_t longestToDescribe = std::int64_t{64} << 20U;

struct Vocabulary {
    std::array<std::int32_t, 256> ids = {};
    std::vector<std::string> names;
};

/// Returns a printable form: "a", "\n", "\xe4".
std::string shown(unsigned byte) {
    if (byte == '\n') {
        return "\\n";
    }
    if (byte == '\t') {
        return "\\t";
    }
    return byte >= 0x20 && byte < 0x7F ? std::string(1, static_cast<char>(byte))
                                       : fmt::format("\\x{:02x}", byte);
}

Vocabulary vocabularyOf(const FileBytes& file) {
    std::array<bool, 256> occurs = {};
    std::vector<std::byte> piece(std::size_t{1} << 16U);
    for (std::int64_t at = 0; at < file.sizeOnDisk();) {
        const auto some = std::span(piece).first(static_cast<std::size_t>(std::min<std::int64_t>(
            static_cast<std::int64_t>(piece.size()), file.sizeOnDisk() - at)));
        file.read(at, some);
        for (const std::byte byte : some) {
            occurs[std::to_integer<std::size_t>(byte)] = true;
        }
        at += static_cast<std::int64_t>(some.size());
    }
    Vocabulary vocabulary;
    vocabulary.ids.fill(unknownId);
    for (unsigned byte = 0; byte < occurs.size(); ++byte) {
        if (occurs[byte]) {
            vocabulary.ids[byte] = static_cast<std::int32_t>(vocabulary.names.size());
            vocabulary.names.push_back(shown(byte));
        }
    }
    return vocabulary;
}

/// A file and its vocabulary, shared by the sets.
struct Text {
    FileBytes file;
    Vocabulary vocabulary;
};

/// Windows of `length` characters, `stride` apart, in the bytes [begin, end) of the text.
class TextSource final : public Source {
public:
    TextSource(std::shared_ptr<const Text> text, std::int64_t begin, std::int64_t end,
               std::int64_t length, std::int64_t stride)
        : text_(std::move(text)),
          begin_(begin),
          stride_(stride),
          size_((end - begin - 1 - length) / stride + 1) {
        const auto classes = static_cast<std::int64_t>(text_->vocabulary.names.size());
        fields_.push_back({"ids", DType::i32, {length}, classes, "The characters of the window."});
        fields_.push_back({"targets",
                           DType::i32,
                           {length},
                           classes,
                           "For each character, the one that follows."});
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        for (const std::int64_t example : examples) {
            readIds(begin_ + example * stride_ + (field == 1 ? 1 : 0), destination.first(bytes));
            destination = destination.subspan(bytes);
        }
    }

private:
    void readIds(std::int64_t offset, std::span<std::byte> destination) const {
        std::array<std::byte, 4096> piece;
        while (!destination.empty()) {
            const std::size_t count =
                std::min(piece.size(), destination.size() / sizeof(std::int32_t));
            const auto characters = std::span(piece).first(count);
            text_->file.read(offset, characters);
            for (std::size_t i = 0; i < count; ++i) {
                const std::int32_t id =
                    text_->vocabulary.ids[std::to_integer<std::size_t>(characters[i])];
                if (id == unknownId) {
                    throw Error(
                        ErrorCode::format,
                        {.file = text_->file.path().string(),
                         .offset = offset + static_cast<std::int64_t>(i)},
                        "contains a character that it did not contain at the start of the run",
                        "do not change the file while it is in use");
                }
                std::memcpy(destination.data() + i * sizeof(id), &id, sizeof(id));
            }
            offset += static_cast<std::int64_t>(count);
            destination = destination.subspan(count * sizeof(std::int32_t));
        }
    }

    std::shared_ptr<const Text> text_;
    std::int64_t begin_;
    std::int64_t stride_;
    std::int64_t size_;
    std::vector<Field> fields_;
};

Data openText(const OpenRequest& request) {
    const std::int64_t length = request.attributes.integer("length");
    const std::int64_t asked = request.attributes.integer("stride");
    const std::int64_t stride = asked == 0 ? length : asked;
    FileBytes file(request.locate(request.attributes.text("file")));
    if (file.isPacked()) {
        throw Error(ErrorCode::format, {.file = file.path().string(), .offset = 0},
                    "is packed with gzip", "unpack it with gunzip");
    }
    const std::int64_t characters = file.sizeOnDisk();
    const auto cut =
        characters -
        static_cast<std::int64_t>(std::llround(request.heldOut * static_cast<double>(characters)));
    const bool isHeldOut = request.heldOut > 0;
    for (const std::int64_t part : {cut, isHeldOut ? characters - cut : cut}) {
        if (part < length + 1) {
            throw Error(ErrorCode::format, {.file = file.path().string(), .offset = characters},
                        fmt::format("a part of {} characters is too short for a window of {} and "
                                    "the character after it",
                                    part, length),
                        "make the windows shorter, hold out another share, or take a longer text");
        }
    }
    const bool isLeftUnread = request.describe && characters > longestToDescribe;
    Vocabulary vocabulary = isLeftUnread ? Vocabulary{} : vocabularyOf(file);
    const auto text = std::make_shared<const Text>(Text{std::move(file), std::move(vocabulary)});
    Data data;
    data.classNames = text->vocabulary.names;
    data.training = std::make_shared<TextSource>(text, 0, cut, length, stride);
    if (isHeldOut) {
        // The windows do not overlap, whatever the stride, so each character is predicted once.
        data.validation = std::make_shared<TextSource>(text, cut, characters, length, length);
    }
    return data;
}

/// Recognises a single text file; in a folder it is ambiguous which text is meant.
std::optional<Attributes> recogniseText(const OfferedFiles& files) {
    const auto found = std::ranges::find_if(files.names, [](const std::string& name) {
        return endsWith(name, ".txt") || endsWith(name, ".text");
    });
    if (files.isWhole || found == files.names.end()) {
        return std::nullopt;
    }
    return Attributes{{"file", (files.folder / *found).string()}};
}

} // namespace

void text(SourceList& list) {
    SourceKind kind;
    kind.name = "text";
    kind.title = "Text, by characters";
    kind.help = "Text for next-character prediction: windows of a text and the characters that "
                "follow. The vocabulary is the sorted set of bytes in the text. Validation uses "
                "the end of the text. Fields: ids [length] and targets [length].";
    kind.origin =
        "use any text; tinyshakespeare is at "
        "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt";
    kind.attributes = {
        {.name = "file",
         .defaultValue = std::string(),
         .help = "Text file, relative to the design.",
         .required = true,
         .content = TextContent::file},
        {.name = "length",
         .defaultValue = std::int64_t{64},
         .help = "Window length in characters.",
         .least = 1,
         .most = 1 << 20},
        {.name = "stride",
         .defaultValue = std::int64_t{0},
         .help = "Stride between training windows in characters. 0: the window length.",
         .least = 0,
         .most = 1 << 20}};
    kind.open = openText;
    kind.recognise = recogniseText;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
