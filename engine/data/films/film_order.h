// SPDX-License-Identifier: Apache-2.0
#pragma once
// The common base of film sources: how batch rows go through films, what is held out, and the
// fields beside the pictures.

#include "data/films/film_split.h"
#include "data/source_kind.h"

#include <vector>

namespace weft {

/// frames, order, starts, skips, held_out
[[nodiscard]] std::vector<AttributeSpec> filmAttributes();

/// Returns the order that the request asks for, without the film starts.
[[nodiscard]] ExampleOrder filmOrder(const OpenRequest& request);

[[nodiscard]] FilmSplit splitFilms(const OpenRequest& request,
                                   const std::vector<std::int64_t>& lengths, std::int64_t span);

/// A source whose examples are films, with the fields `images`, `begins` and `frame`; subclasses
/// draw the frames.
class FilmSource : public Source {
public:
    /// `frame`: [channels, rows, columns]
    FilmSource(Shape frame, FilmExamples examples, ExampleOrder order);

    [[nodiscard]] std::int64_t size() const final { return examples_.size(); }
    [[nodiscard]] const std::vector<Field>& fields() const final { return fields_; }
    [[nodiscard]] ExampleOrder order() const final { return order_; }
    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const final;
    void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                std::span<std::byte> destination) const final;

protected:
    /// Draws frame `k` of the example.
    virtual void draw(const FilmExamples::Place& at, std::int64_t k, std::int64_t epoch,
                      std::span<float> x) const = 0;

private:
    FilmExamples examples_;     ///< which frames each example shows
    ExampleOrder order_;        ///< how batch rows go through the films
    std::vector<Field> fields_; ///< `images`, `begins` and `frame`
};

} // namespace weft
