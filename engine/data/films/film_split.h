// SPDX-License-Identifier: Apache-2.0
#pragma once
// Cuts films into examples of `span` successive frames; the next example begins one frame later.
// Held out is the tail of each film, or whole films, because random examples would have nearly
// equal neighbours in the training set.

#include <cstdint>
#include <vector>

namespace weft {

/// Successive frames of one film.
struct FilmPart {
    std::int64_t first = 0;  ///< index of the first frame over all films
    std::int64_t frames = 0; ///< number of frames, at least `span`
    bool operator==(const FilmPart&) const = default;
};

/// The examples of some parts, in order. Immutable after construction.
class FilmExamples {
public:
    FilmExamples(const std::vector<FilmPart>& parts, std::int64_t span);

    [[nodiscard]] std::int64_t size() const { return ends_.empty() ? 0 : ends_.back(); }
    [[nodiscard]] std::int64_t span() const { return span_; } ///< frames per example
    struct Place {                                            ///< the frames of an example
        std::int64_t frame = 0; ///< index of the example's first frame over all films
        std::int64_t film = 0;  ///< index of the first frame of its film part
    };
    [[nodiscard]] Place at(std::int64_t example) const; ///< frames of the example
    /// Returns the first example of each part.
    [[nodiscard]] std::vector<std::int64_t> firstExamples() const; ///< first example of each part

private:
    std::vector<FilmPart> parts_;    ///< films, or the parts of them in this set
    std::int64_t span_;              ///< frames per example
    std::vector<std::int64_t> ends_; ///< cumulative number of examples, by part
};

struct FilmSplit {
    std::vector<FilmPart> training;
    std::vector<FilmPart> validation; ///< empty: nothing is held out
};

/// Divides films into training and validation. `lengths`: the number of frames of each film, at
/// least `span` each. `share`: the fraction to hold out. Throws Error{design} if it cannot be held
/// out.
[[nodiscard]] FilmSplit splitFilms(const std::vector<std::int64_t>& lengths, std::int64_t span,
                                   double share, bool wholeFilms);

} // namespace weft
