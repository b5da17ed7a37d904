// SPDX-License-Identifier: Apache-2.0
// Reads PGM and PPM as text (P2, P3) and binary (P5, P6; two big-endian bytes per sample if white
// is above 255).
#include "data/films/picture.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::films {

namespace {

struct PnmHeader {
    PictureForm form;
    std::int64_t most = 255;
    bool isText = false;
    [[nodiscard]] std::int64_t samples() const { return form.rows * form.columns * form.channels; }
};

bool isSpace(int letter) {
    return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\v' ||
           letter == '\f';
}

/// Reads numbers separated by white space and comments.
class PnmText {
public:
    explicit PnmText(const PictureFile& file) : file_(file) {}

    /// Also consumes the character after the number: white space or the end.
    std::int64_t number(std::int64_t most) {
        int letter = next();
        while (isSpace(letter) || letter == '#') {
            for (const bool isComment = letter == '#';
                 isComment && letter != '\n' && letter != EOF;) {
                letter = next();
            }
            letter = letter == EOF ? letter : next();
        }
        if (letter < '0' || letter > '9') {
            file_.fail(letter == EOF ? "ends before its last number"
                                     : "has another character where a number is expected");
        }
        std::int64_t value = 0;
        for (; letter >= '0' && letter <= '9'; letter = next()) {
            value = value * 10 + (letter - '0');
            if (value > most) {
                file_.fail(fmt::format("has a number above {}", most));
            }
        }
        if (!isSpace(letter) && letter != EOF) {
            file_.fail("has another character after a number");
        }
        return value;
    }

private:
    int next() { return getc_unlocked(file_.stream()); }

    const PictureFile& file_;
};

PnmHeader readHeader(const PictureFile& file) {
    const std::string magic = file.head(2);
    static_cast<void>(std::fseek(file.stream(), 2, SEEK_SET));
    PnmHeader header;
    header.isText = magic[1] == '2' || magic[1] == '3';
    header.form.channels = magic[1] == '3' || magic[1] == '6' ? 3 : 1;
    PnmText text(file);
    constexpr std::int64_t longest = 1 << 30;
    header.form.columns = text.number(longest);
    header.form.rows = text.number(longest);
    header.most = text.number(65535);
    if (header.most == 0) {
        file.fail("has a maximum value of 0");
    }
    ensurePlausibleSize(file, header.form, 1);
    const std::int64_t left = file.size() - std::ftell(file.stream());
    const std::int64_t needed =
        header.isText ? 2 * header.samples() - 1 : header.samples() * (header.most > 255 ? 2 : 1);
    if (left < needed) {
        file.fail(fmt::format("ends before its {} x {} pixels do", header.form.columns,
                              header.form.rows));
    }
    return header;
}

void readBytes(const PictureFile& file, const PnmHeader& header,
               std::vector<std::uint16_t>& samples) {
    const std::size_t bytes = header.most > 255 ? 2 : 1;
    std::vector<unsigned char> row(
        static_cast<std::size_t>(header.form.columns * header.form.channels) * bytes);
    for (std::size_t at = 0; at < samples.size();) {
        if (std::fread(row.data(), 1, row.size(), file.stream()) != row.size()) {
            file.fail("ends before its last pixel");
        }
        for (std::size_t byte = 0; byte < row.size(); byte += bytes) {
            samples[at++] = static_cast<std::uint16_t>(
                bytes == 1 ? row[byte] : row[byte] * 256 + row[byte + 1]);
        }
    }
}

PictureForm formOfPnm(const PictureFile& file, std::uint64_t) { return readHeader(file).form; }

Still readPnm(const PictureFile& file, std::uint64_t) {
    const PnmHeader header = readHeader(file);
    Still picture{.form = header.form, .most = static_cast<std::uint16_t>(header.most)};
    picture.samples.resize(static_cast<std::size_t>(header.samples()));
    if (header.isText) {
        PnmText text(file);
        for (std::uint16_t& sample : picture.samples) {
            sample = static_cast<std::uint16_t>(text.number(header.most));
        }
        return picture;
    }
    readBytes(file, header, picture.samples);
    if (std::ranges::any_of(picture.samples,
                            [&](std::uint16_t sample) { return sample > picture.most; })) {
        file.fail(fmt::format("has a pixel above its maximum value, {}", picture.most));
    }
    return picture;
}

} // namespace

void pnm(PictureFormatList& list) {
    list.push_back({.name = "PNM", .form = formOfPnm, .read = readPnm});
}

} // namespace weft::films
