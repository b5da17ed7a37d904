// SPDX-License-Identifier: Apache-2.0
#include "damaged_run.h"

#include "../cli/weft_process.h"
#include "base/hash.h"
#include "data/arrays/npy.h"
#include "events/activity_page.h"
#include "events/frame.h"
#include "events/mirror_status.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <QDir>
#include <QFile>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>

namespace weft::test {

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void setContent(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

std::size_t below(std::mt19937_64& draw, std::size_t limit) {
    return limit == 0 ? 0 : static_cast<std::size_t>(draw() % limit);
}

void writeNumbers(const fs::path& file, const Shape& shape) {
    const std::vector<float> numbers(static_cast<std::size_t>(elementsOf(shape)), 0.25F);
    writeNpy(file, DType::f32, shape, std::as_bytes(std::span(numbers)));
}

/// Functions that damage the content of a file; each returns a description.
std::string cut(std::string& content, std::mt19937_64& draw) {
    content.resize(below(draw, content.size()));
    return fmt::format("cut to {} bytes", content.size());
}

std::string flip(std::string& content, std::mt19937_64& draw) {
    std::string done = "flipped at";
    for (std::size_t count = 1 + below(draw, 8); count > 0 && !content.empty(); --count) {
        const std::size_t offset = below(draw, content.size());
        content[offset] = static_cast<char>(content[offset] ^ (1U << below(draw, 8)));
        done += fmt::format(" {}", offset);
    }
    return done;
}

std::string grow(std::string& content, std::mt19937_64& draw) {
    const std::size_t count = 1 + below(draw, std::size_t{64} << 10U);
    for (std::size_t k = 0; k < count; ++k) {
        content += static_cast<char>(draw());
    }
    return fmt::format("grown by {} bytes", count);
}

std::string zero(std::string& content, std::mt19937_64& draw) {
    const std::size_t begin = below(draw, content.size());
    const std::size_t count = 1 + below(draw, content.size() - begin);
    content.replace(begin, count, count, '\0');
    return fmt::format("{} zeros from {} on", count, begin);
}

/// Puts another number in the place of one that is written in digits.
std::string renumber(std::string& content, std::mt19937_64& draw) {
    constexpr std::array<const char*, 8> numbers{
        "0",    "-1",       "18446744073709551616", "9223372036854775807", "4294967295", "1e308",
        "null", R"("text")"};
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto from = content.begin() + static_cast<std::ptrdiff_t>(below(draw, content.size()));
    const auto begin = std::find_if(from, content.end(), isDigit);
    const auto end = std::find_if_not(begin, content.end(), isDigit);
    const char* number = numbers[below(draw, numbers.size())];
    const auto offset = begin - content.begin();
    content.replace(begin, end, number);
    return fmt::format("{} at {}", number, offset);
}

/// Flips bits inside of a log's frames, whose checksums then hold again: what another program, or a
/// faulty one, may have written.
std::string reseal(std::string& content, std::mt19937_64& draw) {
    struct Header {
        std::uint32_t magic;
        std::uint32_t length;
        std::uint64_t checksum;
    };
    std::size_t frames = 0;
    for (std::size_t offset = 0; offset + frameHeaderSize < content.size();) {
        Header header{};
        std::memcpy(&header, content.data() + offset, sizeof header);
        const std::size_t begin = offset + frameHeaderSize;
        if (header.magic != frameMagic || begin + header.length > content.size()) {
            break;
        }
        for (std::size_t count = 1 + below(draw, 4); count > 0; --count) {
            char& byte = content[begin + below(draw, header.length)];
            byte = static_cast<char>(byte ^ (1U << below(draw, 8)));
        }
        header.checksum =
            hash64(std::as_bytes(std::span(content.data() + begin, header.length)), header.length);
        std::memcpy(content.data() + offset, &header, sizeof header);
        offset = begin + header.length;
        ++frames;
    }
    return fmt::format("flipped in {} frames that are sealed again", frames);
}

using Change = std::string (*)(std::string&, std::mt19937_64&);
constexpr std::array<Change, 6> changes{cut, flip, grow, zero, renumber, reseal};

} // namespace

std::string makeWholeRun(const fs::path& run) {
    const fs::path folder = run.parent_path();
    const QString here = QString::fromStdString(folder.string());
    writeDesign(here + "/small.weft", {.steps = 6, .checkpointEvery = 3, .evaluateEvery = 3});
    const QString name = QString::fromStdString(run.string());
    Ended ended = weft({"run", "small.weft", "--devices", "cpu:0", "--run", name}, here);
    if (ended.code != 0) {
        return ended.error.toStdString();
    }
    writeDesign(name + "/design.weft", {.steps = 9, .checkpointEvery = 3, .evaluateEvery = 3});
    ended = weft({"resume", name, "--devices", "cpu:0"}, here);
    if (ended.code != 0) {
        return ended.error.toStdString();
    }
    // So that a resume has something left to do.
    writeDesign(name + "/design.weft", {.steps = 11, .checkpointEvery = 3, .evaluateEvery = 3});
    fs::create_directories(run / "tensors");
    fs::create_directories(run / "series");
    writeNumbers(run / "tensors" / "step-000000006.conv.y.npy", {2, 6, 12, 12});
    writeNumbers(run / "series" / "step-000000006.code.energies.npy", {4, 8});
    setContent(run / "marks.json", R"({"note": "a note", "starred": true})");
    fs::create_directories(run / "control");
    setContent(run / "control" / "notes.txt", "nothing");
    fs::copy(run / "events.0.weftlog", run / "events.1.weftlog");
    if (fs::exists(run / "spans.0")) {
        fs::copy(run / "spans.0", run / "spans.1", fs::copy_options::recursive);
    }
    {
        const ActivityStream stream{};
        const ActivityPage standing(run, 0, 2, {&stream, 1});
        fs::copy(run / "standing.0", run / "standing.1");
    }
    return {};
}

void makeMirror(const fs::path& run) {
    writeMirrorStatus(run, {.host = "far",
                            .run = run.filename().string(),
                            .state = RunState::living,
                            .attempt = 2,
                            .isUp = true});
}

DamagedRun::DamagedRun(fs::path whole, fs::path place)
    : whole_(std::move(whole)), place_(std::move(place)) {
    for (const auto& entry : fs::recursive_directory_iterator(whole_)) {
        names_.push_back(entry.path().lexically_relative(whole_));
    }
    std::ranges::sort(names_);
    renew();
}

void DamagedRun::renew() {
    damaged_.clear();
    fs::remove_all(place_);
    fs::copy(whole_, place_, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
}

void DamagedRun::restore() {
    std::ranges::sort(damaged_); // a folder before what is in it
    for (const fs::path& name : damaged_) {
        fs::remove_all(place_ / name);
        fs::copy(whole_ / name, place_ / name, fs::copy_options::recursive);
    }
    damaged_.clear();
}

std::string DamagedRun::damage(std::mt19937_64& draw) {
    std::string done;
    for (std::size_t count = 1 + below(draw, 3); count > 0; --count) {
        const fs::path& name = names_[below(draw, names_.size())];
        // Files of a deleted folder are gone too.
        if (std::ranges::find(damaged_, name) == damaged_.end() &&
            fs::is_directory(fs::symlink_status(place_ / name.parent_path()))) {
            damaged_.push_back(name);
            done += (done.empty() ? "" : "; ") + name.string() + ": " + damageOne(name, draw);
        }
    }
    return done;
}

std::string DamagedRun::damageOne(const fs::path& name, std::mt19937_64& draw) {
    const fs::path path = place_ / name;
    if (fs::is_regular_file(path) && below(draw, 2) == 0) {
        std::string content = contentOf(path);
        std::string done = changes[below(draw, changes.size())](content, draw);
        setContent(path, content);
        return done;
    }
    fs::remove_all(path);
    switch (below(draw, 8)) {
    case 0: return "gone";
    case 1: fs::create_symlink("nowhere", path); return "a link to nothing";
    case 2: fs::create_symlink(path.filename(), path); return "a link to itself";
    case 3: {
        const fs::path& other = names_[below(draw, names_.size())];
        fs::create_symlink(place_ / other, path);
        return "a link to " + other.string();
    }
    case 4: fs::create_symlink("/dev/zero", path); return "a link to /dev/zero";
    case 5: fs::create_directory(path); return "a folder";
    case 6: setContent(path, ""); return "an empty file";
    default: ::mkfifo(path.c_str(), 0600); return "a pipe";
    }
}

} // namespace weft::test
