// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_order.h"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <utility>

namespace weft {

namespace {

constexpr std::size_t imagesField = 0;
constexpr std::size_t beginsField = 1;
constexpr std::size_t frameField = 2;

MovieOrder watchOrderNamed(const std::string& name) {
    return name == "by_file"   ? MovieOrder::byFile
           : name == "by_list" ? MovieOrder::byList
           : name == "given"   ? MovieOrder::given
                               : MovieOrder::random;
}

} // namespace

std::vector<AttributeSpec> filmAttributes() {
    return {
        {.name = "frames",
         .defaultValue = std::int64_t{1},
         .help = "Number of successive frames per example, stacked as channels, first frame first. "
                 "The next example begins one frame later.",
         .least = 1,
         .most = 1000},
        {.name = "order",
         .defaultValue = std::string("by_list"),
         .help =
             "Which frame each batch element sees; replaces data.order. by_list: every batch "
             "element plays a movie of its own: element b starts at example b * floor(examples / "
             "batch) and advances by one per step; the remainder at the end is skipped, and every "
             "epoch starts again. by_file: the files in order; element b shows the frame after "
             "that of element b - 1. given: as `starts` and `skips` say, cyclically across epochs. "
             "random: each frame once per epoch, shuffled. Validation shows each frame once: "
             "by_list and given in equal parts per element, by_file and random in file order.",
         .choices = {"by_file", "by_list", "given", "random"}},
        {.name = "starts",
         .defaultValue = std::vector<std::int64_t>{},
         .help = "With order set to given: the first example of each batch element, counted from 0 "
                 "over the training movies.",
         .least = 0},
        {.name = "skips",
         .defaultValue = std::vector<std::int64_t>{1},
         .help = "With order set to given: number of examples that each batch element advances per "
                 "step; one number for all.",
         .least = 1},
        {.name = "held_out",
         .defaultValue = std::string("tail"),
         .help = "How data.validation splits the data. tail: the last frames of each movie; films: "
                 "whole movies, the last ones.",
         .choices = {"tail", "films"}}};
}

ExampleOrder filmOrder(const OpenRequest& request) {
    ExampleOrder order{.watch = watchOrderNamed(request.attributes.text("order")),
                       .begins = beginsField};
    const bool isGiven = order.watch == MovieOrder::given;
    const std::vector<std::int64_t> starts = request.attributes.integers("starts");
    std::vector<std::int64_t> skips = request.attributes.integers("skips");
    if (isGiven == starts.empty()) {
        request.refuse("starts",
                       isGiven ? "order given needs this attribute"
                               : fmt::format("it has no effect with order {}",
                                             request.attributes.text("order")),
                       isGiven ? "give one number for each batch element"
                               : "set order to given, or remove the attribute");
    }
    if (!isGiven && skips != std::vector<std::int64_t>{1}) {
        request.refuse(
            "skips",
            fmt::format("it has no effect with order {}", request.attributes.text("order")),
            "set order to given, or remove the attribute");
    }
    if (isGiven) {
        if (skips.size() == 1) {
            skips.resize(starts.size(), skips.front());
        }
        order.starts = starts;
        order.skips = std::move(skips);
    }
    return order;
}

FilmSplit splitFilms(const OpenRequest& request, const std::vector<std::int64_t>& lengths,
                     std::int64_t span) {
    return splitFilms(lengths, span, request.heldOut,
                      request.attributes.text("held_out") == "films");
}

FilmSource::FilmSource(Shape frame, FilmExamples examples, ExampleOrder order)
    : examples_(std::move(examples)),
      order_(std::move(order)),
      fields_{{"images",
               DType::f32,
               {examples_.span() * frame[0], frame[1], frame[2]},
               0,
               "The frames of an example, channels of "
               "the first frame first."},
              {"begins",
               DType::f32,
               {},
               0,
               "1 for a batch element whose example does not continue the one before: at a film's "
               "first frame, and after a jump."},
              {"frame",
               DType::i64,
               {},
               0,
               "The number of the example's first frame, counted from 0 over all films."}} {
    order_.films = examples_.firstExamples();
}

void FilmSource::read(std::span<const std::int64_t> examples, std::size_t field,
                      std::span<std::byte> destination) const {
    readIn(0, examples, field, destination);
}

void FilmSource::readIn(std::int64_t epoch, std::span<const std::int64_t> examples,
                        std::size_t field, std::span<std::byte> destination) const {
    ensureReadable(*this, examples, field, destination);
    const std::size_t bytes = exampleBytes(fields_[field]);
    for (const std::int64_t example : examples) {
        const FilmExamples::Place at = examples_.at(example);
        if (field == imagesField) {
            const std::span x(reinterpret_cast<float*>(destination.data()), bytes / sizeof(float));
            const std::size_t numbers = x.size() / static_cast<std::size_t>(examples_.span());
            for (std::int64_t k = 0; k < examples_.span(); ++k) {
                draw(at, k, epoch, x.subspan(static_cast<std::size_t>(k) * numbers, numbers));
            }
        } else if (field == beginsField) {
            const float begins = at.frame == at.film ? 1 : 0;
            std::memcpy(destination.data(), &begins, sizeof(begins));
        } else {
            static_assert(frameField == 2);
            std::memcpy(destination.data(), &at.frame, sizeof(at.frame));
        }
        destination = destination.subspan(bytes);
    }
}

} // namespace weft
