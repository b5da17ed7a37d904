// SPDX-License-Identifier: Apache-2.0
// Generates films of drifting leaves with occasional cuts, without files.
#include "base/philox.h"
#include "data/films/film_order.h"
#include "data/films/frame_norm.h"
#include "data/generators/dead_leaves.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace weft::generators {

namespace {

struct TextureForm {
    LeavesForm leaves;
    std::int64_t scene = 64; ///< mean length in frames; 0: one scene per film
    FrameNorm norm = FrameNorm::deviation;
};

/// Returns the number of frames of each film, distributed evenly.
std::vector<std::int64_t> lengthsOf(std::int64_t frames, std::int64_t films) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(films), frames / films);
    for (std::int64_t film = 0; film < frames % films; ++film) {
        ++lengths[static_cast<std::size_t>(film)];
    }
    return lengths;
}

class TexturesSource final : public FilmSource {
public:
    /// `films`: the first frame of each, counted over all films. Test films differ.
    TexturesSource(const TextureForm& form, std::shared_ptr<const DeadLeaves> leaves,
                   std::vector<std::int64_t> films, bool isTest, FilmExamples examples,
                   ExampleOrder order)
        : FilmSource({form.leaves.channels, form.leaves.rows, form.leaves.columns},
                     std::move(examples), std::move(order)),
          form_(form),
          leaves_(std::move(leaves)),
          films_(std::move(films)),
          isTest_(isTest) {}

private:
    void draw(const FilmExamples::Place& at, std::int64_t k, std::int64_t,
              std::span<float> x) const override {
        const std::int64_t place =
            std::upper_bound(films_.begin(), films_.end(), at.frame) - films_.begin() - 1;
        const std::int64_t frame = at.frame + k - films_[static_cast<std::size_t>(place)];
        const std::int64_t film = isTest_ ? -1 - place : place;
        const std::int64_t scene = sceneOf(film, frame);
        leaves_->draw(film * (std::int64_t{1} << 32U) + scene, frame - beginOf(film, scene), x);
        constexpr float white = 255;
        if (form_.norm == FrameNorm::none || form_.norm == FrameNorm::unit) {
            std::ranges::for_each(x, [](float& value) {
                value = white * std::clamp(0.5F + 0.2F * value, 0.0F, 1.0F);
            });
        }
        normaliseFrame(x, form_.norm, white);
    }

    /// Cuts are shifted randomly by up to a quarter of a scene from equal distances.
    [[nodiscard]] std::int64_t beginOf(std::int64_t film, std::int64_t scene) const {
        if (scene == 0) {
            return 0;
        }
        const Philox drawn({.seed = form_.leaves.seed, .role = "cuts", .step = film});
        const std::int64_t quarter = form_.scene / 4;
        return scene * form_.scene - quarter +
               static_cast<std::int64_t>(drawn.below(static_cast<std::uint64_t>(scene),
                                                     static_cast<std::uint64_t>(2 * quarter + 1)));
    }

    [[nodiscard]] std::int64_t sceneOf(std::int64_t film, std::int64_t frame) const {
        if (form_.scene == 0) {
            return 0;
        }
        std::int64_t scene = frame / form_.scene + 1;
        while (beginOf(film, scene) > frame) {
            --scene;
        }
        return scene;
    }

    TextureForm form_;
    std::shared_ptr<const DeadLeaves> leaves_;
    std::vector<std::int64_t> films_;
    bool isTest_;
};

Data openTextures(const OpenRequest& request) {
    const Attributes& attributes = request.attributes;
    const std::vector<std::int64_t> size = attributes.integers("size");
    const std::int64_t span = attributes.integer("frames");
    const TextureForm form{
        .leaves = {.seed = static_cast<std::uint64_t>(attributes.integer("seed")),
                   .rows = size.front(),
                   .columns = size.back(),
                   .channels = attributes.integer("channels"),
                   .speed = static_cast<float>(attributes.real("speed")),
                   .smallest = attributes.real("smallest_leaf")},
        .scene = attributes.integer("scene"),
        .norm = frameNormOf(attributes)};
    if (form.leaves.channels == 2) {
        request.refuse("channels", "2 channels are neither grayscale nor RGB",
                       "set channels to 1 or 3");
    }
    const auto leaves = std::make_shared<const DeadLeaves>(form.leaves);
    const auto make = [&](const std::vector<std::int64_t>& lengths,
                          const std::vector<FilmPart>& parts, bool isTest) -> SourcePointer {
        std::vector<std::int64_t> films;
        std::int64_t first = 0;
        for (const std::int64_t length : lengths) {
            films.push_back(first);
            first += length;
        }
        return std::make_shared<TexturesSource>(form, leaves, std::move(films), isTest,
                                                FilmExamples(parts, span), filmOrder(request));
    };
    const auto lengths = [&](const char* attribute) {
        const std::int64_t count = attributes.integer(attribute);
        const std::int64_t films = attributes.integer("films");
        if (count / films < span) {
            request.refuse(
                "films",
                fmt::format("{} frames do not suffice for {} movies of at least {}", count, films,
                            span),
                fmt::format("set films to {} or fewer", std::max<std::int64_t>(1, count / span)));
        }
        return lengthsOf(count, films);
    };
    const std::vector<std::int64_t> trained = lengths("count");
    const FilmSplit cut = splitFilms(request, trained, span);
    Data data;
    data.training = make(trained, cut.training, false);
    data.validation = cut.validation.empty() ? nullptr : make(trained, cut.validation, false);
    if (attributes.integer("test_count") > 0) {
        const std::vector<std::int64_t> tested = lengths("test_count");
        data.test = make(tested, splitFilms(tested, span, 0, false).training, true);
    }
    return data;
}

std::vector<AttributeSpec> textureAttributes() {
    return {{.name = "size",
             .defaultValue = std::vector<std::int64_t>{32, 32},
             .help = "Frame size: rows and columns.",
             .least = 4,
             .most = 1024,
             .count = 2},
            {.name = "channels",
             .defaultValue = std::int64_t{1},
             .help = "Number of channels: 1 is grey, 3 is RGB.",
             .least = 1,
             .most = 3},
            {.name = "count",
             .defaultValue = std::int64_t{10000},
             .help = "Number of training frames, over all movies.",
             .least = 1,
             .most = mostGenerated},
            {.name = "films",
             .defaultValue = std::int64_t{16},
             .help = "Number of movies, all of equal length.",
             .least = 1,
             .most = 1e6},
            {.name = "test_count",
             .defaultValue = std::int64_t{0},
             .help = "Number of test frames, from as many other movies.",
             .least = 0,
             .most = mostGenerated},
            {.name = "speed",
             .defaultValue = 0.5,
             .help = "Drift of the leaves per frame in pixels; leaves in front move further.",
             .least = 0,
             .most = 100},
            {.name = "smallest_leaf",
             .defaultValue = 0.7,
             .help = "Radius of the smallest leaves in pixels. At 0.7 the power spectrum is that "
                     "of photographs; from 2 on the finest structures are edges.",
             .least = 0.5,
             .most = 100},
            {.name = "scene",
             .defaultValue = std::int64_t{64},
             .help = "Mean number of frames between two cuts. 0: each movie is one scene.",
             .least = 0,
             .most = 1e6},
            normaliseAttribute("deviation"),
            {.name = "seed", .defaultValue = std::int64_t{1}, .help = "Random seed of the data."}};
}

} // namespace

void textures(SourceList& list) {
    SourceKind kind;
    kind.name = "textures";
    kind.title = "Drifting leaves";
    kind.help = "Synthetic movies with the statistics of natural images (dead leaves model): "
                "overlapping textured leaves of all sizes that drift slowly, with occasional cuts. "
                "Fields: images [frames channels, height, width], begins and frame.";
    kind.attributes = textureAttributes();
    for (AttributeSpec& spec : filmAttributes()) {
        kind.attributes.push_back(std::move(spec));
    }
    kind.open = openTextures;
    list.push_back(std::move(kind));
}

} // namespace weft::generators
