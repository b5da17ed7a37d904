// SPDX-License-Identifier: Apache-2.0
#include "data/arrays/npy.h"

#include "base/files/output_file.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace weft {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
/// Much more than a header without structured types needs.
constexpr std::size_t longestNpyHeader = 65536;
constexpr std::size_t mostNpyDims = 32;

/// Parses the header's text, a Python dictionary of three entries.
class HeaderText {
public:
    HeaderText(std::string_view text, const std::filesystem::path& path, std::size_t offset)
        : text_(text), path_(path), offset_(offset) {}

    NpyHeader header() {
        NpyHeader header;
        bool descr = false;
        bool order = false;
        bool shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr" && !std::exchange(descr, true)) {
                header.type = elementType();
            } else if (key == "fortran_order" && !std::exchange(order, true)) {
                header.fortranOrder = truth();
            } else if (key == "shape" && !std::exchange(shape, true)) {
                header.shape = sizes();
            } else {
                fail("has the unknown or repeated key '" + std::string(key) + "'");
            }
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skipBlanks();
        if (at_ != text_.size() || !descr || !order || !shape) {
            fail("is not a header with descr, fortran_order and shape");
        }
        return header;
    }

private:
    void skipBlanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) {
            ++at_;
        }
    }
    bool accept(char symbol) {
        skipBlanks();
        const bool here = at_ < text_.size() && text_[at_] == symbol;
        at_ += here ? 1 : 0;
        return here;
    }
    void expect(char symbol) {
        if (!accept(symbol)) {
            fail(std::string("lacks '") + symbol + "' in its header");
        }
    }
    std::string_view quoted() {
        skipBlanks();
        const char quote = at_ < text_.size() ? text_[at_] : ' ';
        if (quote != '\'' && quote != '"') {
            fail("lacks a quoted word in its header");
        }
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) {
            fail("has a header whose quotes do not close");
        }
        const std::string_view word = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return word;
    }
    bool truth() {
        skipBlanks();
        for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
            if (text_.substr(at_).starts_with(word)) {
                at_ += std::string_view(word).size();
                return value;
            }
        }
        fail("has a fortran_order that is neither True nor False");
    }
    ElementType elementType() {
        skipBlanks();
        if (at_ < text_.size() && text_[at_] == '[') {
            fail("contains records", "save each field of the records as a separate array");
        }
        const std::string_view word = quoted();
        const std::string_view kinds = "fiub";
        const std::size_t kind = word.size() == 3 ? kinds.find(word[1]) : std::string_view::npos;
        const bool ordered =
            word.size() == 3 && std::string_view("<>|=").find(word[0]) != std::string_view::npos;
        if (kind == std::string_view::npos || !ordered) {
            fail("contains elements of type '" + std::string(word) + "'",
                 "save it as a float, integer or boolean array");
        }
        const auto bytes = static_cast<std::size_t>(word[2] - '0');
        const std::string_view widths = kind == 0 ? "248" : kind == 3 ? "1" : "1248";
        if (widths.find(word[2]) == std::string_view::npos) {
            fail("contains elements of type '" + std::string(word) + "'",
                 "save it with 1, 2, 4 or 8 bytes an element");
        }
        constexpr ElementKind named[] = {ElementKind::floating, ElementKind::integer,
                                         ElementKind::unsignedInteger, ElementKind::boolean};
        return {named[kind], bytes, word[0] == '>'};
    }
    Shape sizes() {
        Shape shape;
        expect('(');
        while (!accept(')')) {
            skipBlanks();
            std::int64_t size = 0;
            const char* begin = text_.data() + at_;
            const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), size);
            if (problem != std::errc() || size < 0 || shape.size() == mostNpyDims) {
                fail("has an invalid shape: more than " + std::to_string(mostNpyDims) + " sizes");
            }
            at_ += static_cast<std::size_t>(end - begin);
            shape.push_back(size);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return shape;
    }
    [[noreturn]] void fail(const std::string& what,
                           const std::string& remedy = "save it again with numpy.save") const {
        throw Error(ErrorCode::format,
                    {.file = path_.string(), .offset = static_cast<std::int64_t>(offset_ + at_)},
                    what, remedy);
    }

    std::string_view text_;
    const std::filesystem::path& path_;
    std::size_t offset_;
    std::size_t at_ = 0;
};

[[noreturn]] void failFormat(const FileBytes& file, std::int64_t offset, const std::string& what) {
    throw Error(ErrorCode::format, {.file = file.path().string(), .offset = offset}, what,
                "save it again with numpy.save");
}

/// Walks the elements of a column-major array and returns the row-major position of each.
class ColumnMajorWalk {
public:
    explicit ColumnMajorWalk(const Shape& shape)
        : shape_(shape), index_(shape.size(), 0), steps_(shape.size(), 1) {
        for (std::size_t dim = shape.size(); dim-- > 1;) {
            steps_[dim - 1] = steps_[dim] * shape[dim];
        }
    }

    [[nodiscard]] std::int64_t position() const { return position_; }
    void advance() {
        for (std::size_t dim = 0; dim < shape_.size(); ++dim) {
            position_ += steps_[dim];
            if (++index_[dim] < shape_[dim]) {
                return;
            }
            position_ -= steps_[dim] * shape_[dim];
            index_[dim] = 0;
        }
    }

private:
    const Shape& shape_;
    Shape index_;
    Shape steps_;
    std::int64_t position_ = 0;
};

/// Reads a column-major file in pieces into row-major order, without holding a second copy.
void readTurned(const FileBytes& file, const NpyHeader& header, Array& array) {
    const std::size_t width = byteSize(array.dtype);
    std::vector<std::byte> piece(8192 * width);
    ColumnMajorWalk walk(header.shape);
    std::int64_t offset = header.dataOffset;
    for (std::size_t left = array.bytes.size(); left > 0;) {
        const auto some = std::span(piece).first(std::min(left, piece.size()));
        readElements(file, offset, header.type, array.dtype, some);
        for (std::size_t at = 0; at < some.size(); at += width, walk.advance()) {
            std::memcpy(array.bytes.data() + static_cast<std::size_t>(walk.position()) * width,
                        some.data() + at, width);
        }
        offset += static_cast<std::int64_t>(some.size() / width * header.type.bytes);
        left -= some.size();
    }
}

} // namespace

NpyHeader readNpyHeader(const FileBytes& file) {
    if (file.isPacked()) {
        throw Error(ErrorCode::format, {.file = file.path().string()}, "is packed with gzip",
                    "unpack it with gunzip");
    }
    const std::vector<std::byte> start = file.head(12);
    const auto byteAt = [&](std::size_t at) { return std::to_integer<std::size_t>(start[at]); };
    if (start.size() < 10 || !std::equal(magic.begin(), magic.end(), start.begin(),
                                         [](char a, std::byte b) { return std::byte(a) == b; })) {
        failFormat(file, 0, "is not a .npy file");
    }
    const std::size_t version = byteAt(6);
    if (version < 1 || version > 3 || (version > 1 && start.size() < 12)) {
        failFormat(file, 6,
                   "has version " + std::to_string(version) + " of .npy; 1 to 3 are known");
    }
    const std::size_t begin = version == 1 ? 10 : 12;
    std::size_t length = byteAt(8) | (byteAt(9) << 8U);
    if (version > 1) {
        length |= (byteAt(10) << 16U) | (byteAt(11) << 24U);
    }
    if (length > longestNpyHeader ||
        static_cast<std::int64_t>(begin + length) > file.sizeOnDisk()) {
        failFormat(file, 8, "claims a header of " + std::to_string(length) + " bytes");
    }
    std::string text(length, ' ');
    file.read(static_cast<std::int64_t>(begin), std::as_writable_bytes(std::span(text)));
    NpyHeader header = HeaderText(text, file.path(), begin).header();
    header.dataOffset = static_cast<std::int64_t>(begin + length);
    const auto bytes = bytesOf(header.shape, header.type.bytes);
    const std::int64_t there = file.sizeOnDisk() - header.dataOffset;
    if (!bytes || *bytes != there) {
        failFormat(file, header.dataOffset,
                   "says it holds " + toString(header.shape) + " elements of " +
                       std::to_string(header.type.bytes) + " bytes, and holds " +
                       std::to_string(there) + " bytes");
    }
    return header;
}

Array readNpy(const std::filesystem::path& path, std::optional<DType> as) {
    return readNpy(FileBytes(path), as);
}

Array readNpy(const FileBytes& file, std::optional<DType> as) {
    const NpyHeader header = readNpyHeader(file);
    const DType dtype = as.value_or(dtypeFor(header.type));
    const auto count = static_cast<std::size_t>(elementsOf(header.shape));
    Array array{dtype, header.shape, std::vector<std::byte>(count * byteSize(dtype))};
    if (header.fortranOrder && header.shape.size() > 1) {
        readTurned(file, header, array);
    } else {
        readElements(file, header.dataOffset, header.type, dtype, array.bytes);
    }
    return array;
}

void writeNpy(const std::filesystem::path& path, DType dtype, const Shape& shape,
              std::span<const std::byte> bytes) {
    const auto size = bytesOf(shape, byteSize(dtype));
    ensure(size && *size == static_cast<std::int64_t>(bytes.size()),
           "an array's bytes are those of its shape");
    if (dtype == DType::bf16) {
        std::vector<std::byte> narrow(bytes.begin(), bytes.end());
        std::vector<std::byte> wide(bytes.size() * 2);
        ensure(convertElements(elementTypeOf(dtype), narrow, DType::f32, wide) * 4 == wide.size(),
               "every bf16 is an f32");
        writeNpy(path, DType::f32, shape, wide);
        return;
    }
    const ElementType type = elementTypeOf(dtype);
    const char kind = isFloating(type)                            ? 'f'
                      : type.kind == ElementKind::unsignedInteger ? 'u'
                                                                  : 'i';
    std::string text = fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': (",
                                   type.bytes == 1 ? '|' : '<', kind, type.bytes);
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
        text += fmt::format("{}{}", shape[dim], dim + 1 < shape.size() ? ", " : "");
    }
    text += shape.size() == 1 ? ",), }" : "), }";
    // The elements start at a multiple of 64 bytes, so that other programs can map the file.
    const std::size_t preamble = magic.size() + 4;
    text.resize((preamble + text.size() + 1 + 63) / 64 * 64 - preamble - 1, ' ');
    text += '\n';
    const std::array<char, 4> rest = {1, 0, static_cast<char>(text.size() & 0xFFU),
                                      static_cast<char>(text.size() >> 8U)};
    OutputFile file(path);
    file.write(magic);
    file.write(std::string_view(rest.data(), rest.size()));
    file.write(text);
    file.write(bytes);
    file.commit();
}

} // namespace weft
