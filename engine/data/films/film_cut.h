// SPDX-License-Identifier: Apache-2.0
#pragma once
// Films as examples: an example is `span` successive frames of one film, the next begins a frame
// later. What is held out is the tail of each film, or whole films: examples drawn one by one would
// have their neighbours, all but the same picture, on the other side.

#include <cstdint>
#include <vector>

namespace weft {

/// Some frames of a film, one after another.
struct FilmPart {
    std::int64_t first = 0;  ///< of its frames, counted over all films
    std::int64_t frames = 0; ///< no fewer than `span`
    bool operator==(const FilmPart&) const = default;
};

/// The examples of some parts, in order. Const after making.
class FilmExamples {
public:
    FilmExamples(const std::vector<FilmPart>& parts, std::int64_t span);

    [[nodiscard]] std::int64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
    [[nodiscard]] std::int64_t span() const { return span_; }
    struct Place {
        std::int64_t frame = 0; ///< its first, counted over all films
        std::int64_t film = 0;  ///< the first of its part
    };
    [[nodiscard]] Place at(std::int64_t example) const;
    /// The first example of each part.
    [[nodiscard]] std::vector<std::int64_t> begins() const;

private:
    std::vector<FilmPart> parts_;
    std::int64_t span_;
    std::vector<std::int64_t> ends_; ///< examples up to and with each part
};

struct FilmCut {
    std::vector<FilmPart> training;
    std::vector<FilmPart> validation; ///< none: nothing is held out
};

/// `lengths`: the frames of each film, each no fewer than `span`. Error{design} where so much
/// cannot be held out.
[[nodiscard]] FilmCut cutFilms(const std::vector<std::int64_t>& lengths, std::int64_t span,
                               double share, bool wholeFilms);

} // namespace weft
