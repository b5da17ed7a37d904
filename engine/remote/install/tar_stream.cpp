// SPDX-License-Identifier: Apache-2.0
#include "remote/install/tar_stream.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <numeric>
#include <utility>
#include <vector>

namespace weft {

namespace {

constexpr std::size_t block = 512;

/// Returns a header in the POSIX format ustar.
std::string headerOf(const TarStream::Member& member, std::uintmax_t size) {
    ensure(member.name.size() < 100 && size < (std::uintmax_t{1} << 33U),
           "a member of an archive has a short name and less than 8 GiB");
    std::string header(block, '\0');
    const auto put = [&](std::size_t at, const std::string& text) {
        std::ranges::copy(text, header.begin() + static_cast<std::ptrdiff_t>(at));
    };
    put(0, member.name);
    put(100, member.isExecutable ? "0000755" : "0000644");
    put(108, "0000000"); // owner and group: those of the user who unpacks
    put(116, "0000000");
    put(124, fmt::format("{:011o}", size));
    put(136, fmt::format("{:011o}", std::max<std::int64_t>(0, member.changed)));
    put(148, "        "); // the checksum counts its own field as blanks
    put(156, "0");
    put(257, std::string("ustar\00000", 8));
    const auto sum =
        std::accumulate(header.begin(), header.end(), 0U, [](unsigned before, char packet) {
            return before + static_cast<unsigned char>(packet);
        });
    put(148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    return header;
}

} // namespace

struct TarStream::State {
    Sink sink;
    z_stream packer{};
    std::vector<char> packed = std::vector<char>(std::size_t{64} << 10U);

    explicit State(Sink to) : sink(std::move(to)) {
        constexpr int quick = 3;
        constexpr int asGzip = 15 + 16;
        if (deflateInit2(&packer, quick, Z_DEFLATED, asGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
            throw Error(ErrorCode::memory, {}, "not enough memory to compress the files",
                        "close other programs");
        }
    }
    ~State() { deflateEnd(&packer); }
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    void write(std::string_view bytes, int flush = Z_NO_FLUSH) {
        // zlib only reads the input.
        packer.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        packer.avail_in = static_cast<uInt>(bytes.size());
        do {
            packer.next_out = reinterpret_cast<Bytef*>(packed.data());
            packer.avail_out = static_cast<uInt>(packed.size());
            deflate(&packer, flush);
            if (const std::size_t made = packed.size() - packer.avail_out; made > 0) {
                sink({packed.data(), made});
            }
        } while (packer.avail_out == 0);
    }
    void fill(std::uintmax_t size) {
        const std::array<char, block> nothing{};
        write({nothing.data(), static_cast<std::size_t>((block - size % block) % block)});
    }
};

TarStream::TarStream(Sink sink) : state_(std::make_unique<State>(std::move(sink))) {}

TarStream::~TarStream() = default;

void TarStream::addText(const Member& member, std::string_view text) {
    state_->write(headerOf(member, text.size()));
    state_->write(text);
    state_->fill(text.size());
}

void TarStream::addFile(const Member& member, const std::filesystem::path& file,
                        const HasGone& hasGone) {
    std::ifstream in(file, std::ios::binary);
    std::error_code fault;
    const std::uintmax_t size = std::filesystem::file_size(file, fault);
    if (fault || !in) {
        throwFileError(file, "read", fault ? fault.value() : EIO);
    }
    state_->write(headerOf(member, size));
    std::vector<char> part(std::size_t{256} << 10U);
    for (std::uintmax_t left = size; left > 0;) {
        const std::size_t length = std::min<std::uintmax_t>(left, part.size());
        if (!in.read(part.data(), static_cast<std::streamsize>(length))) {
            throwFileError(file, "read", EIO);
        }
        state_->write({part.data(), length});
        left -= length;
        hasGone(length);
    }
    state_->fill(size);
}

void TarStream::finish() {
    const std::array<char, 2 * block> end{};
    state_->write({end.data(), end.size()}, Z_FINISH);
}

} // namespace weft
