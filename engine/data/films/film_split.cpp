// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_split.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weft {

namespace {

std::vector<FilmPart> wholeParts(const std::vector<std::int64_t>& lengths) {
    std::vector<FilmPart> parts;
    std::int64_t first = 0;
    for (const std::int64_t length : lengths) {
        parts.push_back({first, length});
        first += length;
    }
    return parts;
}

[[noreturn]] void refuseShare(double share, const std::string& why, const std::string& remedy) {
    throw Error(ErrorCode::design, {},
                fmt::format("data: a fraction of {} cannot be held out of {}", share, why), remedy);
}

FilmSplit cutWhole(std::vector<FilmPart> all, double share) {
    if (all.size() < 2) {
        refuseShare(share, "a single movie: held_out is films, which holds out whole movies",
                    "set held_out to tail, or add a second movie");
    }
    const std::int64_t frames = all.back().first + all.back().frames;
    FilmSplit cut{.training = std::move(all), .validation = {}};
    std::int64_t held = 0;
    while (cut.training.size() > 1 &&
           static_cast<double>(held) < share * static_cast<double>(frames)) {
        held += cut.training.back().frames;
        cut.validation.insert(cut.validation.begin(), cut.training.back());
        cut.training.pop_back();
    }
    return cut;
}

FilmSplit cutTails(std::vector<FilmPart> all, std::int64_t span, double share) {
    FilmSplit cut{.training = std::move(all), .validation = {}};
    for (FilmPart& part : cut.training) {
        if (part.frames < 2 * span) {
            continue; // too short to cut
        }
        const auto held = std::clamp<std::int64_t>(
            std::llround(share * static_cast<double>(part.frames)), span, part.frames - span);
        part.frames -= held;
        cut.validation.push_back({part.first + part.frames, held});
    }
    if (cut.validation.empty()) {
        refuseShare(share, fmt::format("movies of fewer than {} frames", 2 * span),
                    cut.training.size() > 1 ? "set held_out to films, or data.validation to 0"
                                            : "set data.validation to 0, or add frames or a movie");
    }
    return cut;
}

} // namespace

FilmExamples::FilmExamples(const std::vector<FilmPart>& parts, std::int64_t span)
    : parts_(parts), span_(span) {
    std::int64_t end = 0;
    for (const FilmPart& part : parts_) {
        ensure(part.frames >= span, "a part of a film has an example");
        end += part.frames - span + 1;
        ends_.push_back(end);
    }
}

FilmExamples::Place FilmExamples::at(std::int64_t example) const {
    const auto part = static_cast<std::size_t>(
        std::upper_bound(ends_.begin(), ends_.end(), example) - ends_.begin());
    const std::int64_t before = part == 0 ? 0 : ends_[part - 1];
    return {parts_[part].first + example - before, parts_[part].first};
}

std::vector<std::int64_t> FilmExamples::firstExamples() const {
    std::vector<std::int64_t> begins(ends_.size(), 0);
    std::copy(ends_.begin(), std::prev(ends_.end()), std::next(begins.begin()));
    return begins;
}

FilmSplit splitFilms(const std::vector<std::int64_t>& lengths, std::int64_t span, double share,
                     bool wholeFilms) {
    std::vector<FilmPart> all = wholeParts(lengths);
    if (share <= 0) {
        return {std::move(all), {}};
    }
    return wholeFilms ? cutWhole(std::move(all), share) : cutTails(std::move(all), span, share);
}

} // namespace weft
