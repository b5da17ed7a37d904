// SPDX-License-Identifier: Apache-2.0
#include "run/infer/example_file.h"

#include "data/arrays/npy.h"
#include "data/films/film_list.h"
#include "data/films/pictures.h"
#include "data/films/place_frame.h"
#include "data/offered_files.h"
#include "data/open.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <string_view>
#include <system_error>

namespace weft {

namespace {

constexpr float white = 255;

/// Reads IDX like its data source, with raw pixels.
Array readIdx(const std::filesystem::path& file, const SourceList& kinds) {
    DataSettings settings{.source = "idx"};
    settings.attributes = {{"train_images", file.filename().string()},
                           {"train_labels", std::string()},
                           {"test_images", std::string()},
                           {"scale", 1.0}};
    const Data data = openData(settings, {.base = file.parent_path()}, kinds);
    const Field& field = data.training->fields().front();
    Array array{.dtype = DType::f32, .shape = field.shape, .bytes = {}};
    array.shape.insert(array.shape.begin(), data.training->size());
    array.bytes.resize(static_cast<std::size_t>(elementsOf(array.shape)) * sizeof(float));
    std::vector<std::int64_t> all(static_cast<std::size_t>(data.training->size()));
    std::iota(all.begin(), all.end(), 0);
    data.training->read(all, 0, array.bytes);
    return array;
}

Array asFloats(const Array& bytes) {
    Array floats{.dtype = DType::f32, .shape = bytes.shape, .bytes = {}};
    floats.bytes.resize(bytes.bytes.size() * sizeof(float));
    for (std::size_t k = 0; k < bytes.bytes.size(); ++k) {
        const auto x = static_cast<float>(std::to_integer<unsigned>(bytes.bytes[k]));
        std::memcpy(floats.bytes.data() + k * sizeof(float), &x, sizeof(float));
    }
    return floats;
}

/// Returns the pictures one after another, regardless of their films.
Film picturesOf(const std::filesystem::path& file) {
    Film all;
    for (const Film& film : filmsOf({file})) {
        all.insert(all.end(), film.begin(), film.end());
    }
    return all;
}

/// Reads pictures in grey, or in colour if the layer takes three channels; white is 255.
Array readPictures(const std::filesystem::path& file, const Shape& example) {
    Array pictures{.dtype = DType::f32, .shape = {}, .bytes = {}};
    for (const PictureAt& page : picturesOf(file)) {
        const Still picture = readPicture(page);
        const FrameForm form{.channels = example.size() == 3 && example[0] == 3 ? 3 : 1,
                             .rows = picture.form.rows,
                             .columns = picture.form.columns,
                             .norm = FrameNorm::unit};
        std::vector<float> x(static_cast<std::size_t>(form.channels * form.rows * form.columns));
        writeView(cutFrame(picture, form, 0), form, {}, x);
        std::ranges::for_each(x, [](float& each) { each *= white; });
        const Shape shape{1, form.channels, form.rows, form.columns};
        if (!pictures.shape.empty() &&
            !std::equal(shape.begin() + 1, shape.end(), pictures.shape.begin() + 1)) {
            throw Error(ErrorCode::format, Where{.file = page.path.string()},
                        "differs in size from the picture before it", "use pictures of equal size");
        }
        const std::int64_t before = pictures.shape.empty() ? 0 : pictures.shape[0];
        pictures.shape = shape;
        pictures.shape[0] += before;
        const auto bytes = std::as_bytes(std::span(x));
        pictures.bytes.insert(pictures.bytes.end(), bytes.begin(), bytes.end());
    }
    return pictures;
}

/// Normalises bytes as a source of films normalises its frames.
void normaliseFrames(Array& pictures, const Attributes& with) {
    const std::span<float> x(reinterpret_cast<float*>(pictures.bytes.data()),
                             pictures.bytes.size() / sizeof(float));
    const auto frames = static_cast<std::size_t>(pictures.shape[0] * with.integer("frames"));
    const std::size_t numbers = x.size() / std::max<std::size_t>(frames, 1);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        normaliseFrame(x.subspan(frame * numbers, numbers), frameNormOf(with), white);
    }
}

/// y = (x * scale - mean) / std as the design's source does, where x is a byte. If the source's own
/// pictures range from 0 to 1, scale is 1.
void normalise(Array& pictures, const Shape& example, const DataSettings& settings,
               const SourceList& kinds) {
    double scale = 1.0 / white;
    std::vector<double> mean;
    std::vector<double> deviation;
    const SourceKind* kind = findSourceKind(kinds, settings.source);
    const auto spec = kind == nullptr
                          ? std::vector<AttributeSpec>::const_iterator{}
                          : std::ranges::find(kind->attributes, "scale", &AttributeSpec::name);
    if (kind != nullptr && std::ranges::find(kind->attributes, "normalise", &AttributeSpec::name) !=
                               kind->attributes.end()) {
        normaliseFrames(pictures, completed(settings.attributes, kind->attributes));
        return;
    }
    if (kind != nullptr && spec != kind->attributes.end()) {
        const Attributes with = completed(settings.attributes, kind->attributes);
        scale *= with.real("scale") / std::get<double>(spec->defaultValue);
        mean = with.reals("mean");
        deviation = with.reals("std");
    }
    const std::size_t channels = example.size() == 3 ? static_cast<std::size_t>(example[0]) : 1;
    const auto plane = static_cast<std::size_t>(elementsOf(example)) / channels;
    const auto pick = [](const std::vector<double>& list, std::size_t channel, double fallback) {
        return list.empty() ? fallback : list[std::min(channel, list.size() - 1)];
    };
    const std::size_t count = pictures.bytes.size() / sizeof(float);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t channel = k / plane % channels;
        float x = 0;
        std::memcpy(&x, pictures.bytes.data() + k * sizeof(float), sizeof(float));
        x = static_cast<float>((static_cast<double>(x) * scale - pick(mean, channel, 0)) /
                               pick(deviation, channel, 1));
        std::memcpy(pictures.bytes.data() + k * sizeof(float), &x, sizeof(float));
    }
}

bool has(const SourceKind* kind, std::string_view attribute) {
    return kind != nullptr && std::ranges::find(kind->attributes, attribute,
                                                &AttributeSpec::name) != kind->attributes.end();
}

/// Returns settings with which image files give the same frames as a generating source.
DataSettings asFrames(const DataSettings& settings, const SourceKind& kind,
                      const ExampleForm& form) {
    const Attributes with = completed(settings.attributes, kind.attributes);
    const std::int64_t span = with.integer("frames");
    const Shape& shape = form.shape;
    const bool isColour = shape.size() == 3 && shape[0] == 3 * span;
    DataSettings frames{.source = "frames"};
    frames.attributes = {{"frames", span},
                         {"normalise", with.text("normalise")},
                         {"channels", std::string(isColour ? "rgb" : "grey")}};
    if (shape.size() == 3) {
        frames.attributes.set("size", Shape{shape[1], shape[2]});
    }
    return frames;
}

void requireShape(const std::filesystem::path& file, const Array& array, const ExampleForm& form) {
    const Shape example(array.shape.begin() + (array.shape.empty() ? 0 : 1), array.shape.end());
    if (array.shape.empty() || elementsOf(example) != elementsOf(form.shape)) {
        throw Error(ErrorCode::format, Where{.file = file.string()},
                    fmt::format("has the shape {}; {} needs [examples] of {}",
                                toString(array.shape), form.layer, toString(form.shape)),
                    "convert the file to that shape");
    }
}

} // namespace

bool arePictures(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    const PictureEnding ending = pictureEnding(name);
    std::error_code unseen;
    return ending == PictureEnding::picture || ending == PictureEnding::pages ||
           endsWith(name, ".txt") || std::filesystem::is_directory(file, unseen);
}

SourcePointer openAsSource(const std::filesystem::path& file, const ExampleForm& form,
                           const DataSettings& settings, const SourceList& kinds) {
    const SourceKind* kind = findSourceKind(kinds, settings.source);
    const bool isOwn = kind != nullptr && kind->openOffered != nullptr;
    if (!isOwn && !(has(kind, "normalise") && has(kind, "frames"))) {
        return nullptr;
    }
    DataSettings read = isOwn ? settings : asFrames(settings, *kind, form);
    if (has(kind, "size") && !has(kind, "frames") && !read.attributes.has("size") &&
        form.shape.size() == 3) {
        read.attributes.set("size", Shape{form.shape[1], form.shape[2]});
    }
    SourcePointer offered = openOffered(read, file, kinds);
    if (offered == nullptr) {
        return nullptr;
    }
    const Field& field = offered->fields().front();
    if (elementsOf(field.shape) != elementsOf(form.shape)) {
        throw Error(ErrorCode::format, Where{.file = file.string()},
                    fmt::format("gives examples of {}, but {} needs {}", toString(field.shape),
                                form.layer, toString(form.shape)),
                    "set the size or the columns of the data source to that, or change the file");
    }
    return offered;
}

Array readExamples(const std::filesystem::path& file, const ExampleForm& form,
                   const DataSettings& settings, const SourceList& kinds) {
    const std::string extension = file.extension().string();
    refuseUnreadable(file);
    Array array;
    bool areBytes = isFloating(form.dtype);
    if (extension == ".npy" && !isFloating(form.dtype)) {
        array = readNpy(file, DType::i64);
    } else if (extension == ".npy") {
        array = readNpy(file);
        areBytes = array.dtype == DType::u8;
        array = areBytes ? asFloats(array) : readNpy(file, DType::f32);
    } else if (arePictures(file)) {
        array = readPictures(file, form.shape);
    } else if (file.string().find("idx") != std::string::npos || extension == ".gz") {
        array = readIdx(file, kinds);
    } else {
        throw Error(ErrorCode::usage, Where{.file = file.string()},
                    "is not a file of examples that Weft can read",
                    "use a .npy file, an IDX file (with idx in its name), a picture, a folder or "
                    "list of pictures, or, for a design whose source is csv, a .csv file");
    }
    requireShape(file, array, form);
    if (areBytes) {
        normalise(array, form.shape, settings, kinds);
    }
    return array;
}

} // namespace weft
