// SPDX-License-Identifier: Apache-2.0
// Reads a user's pictures of any size, with a class from the folder that each lies in, or with a
// label or numbers from a list file.
#include "base/text/mending.h"
#include "data/films/broken_pictures.h"
#include "data/films/cached_frames.h"
#include "data/films/frame_augmentation.h"
#include "data/films/picture_sets.h"
#include "data/normalise.h"
#include "data/split.h"
#include "data/tables/records.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostCached = std::size_t{128} << 20U;

class PicturesSource final : public Source {
public:
    PicturesSource(PictureSet set, const FrameForm& form, const FrameAugmentation& draws,
                   std::vector<Field> fields)
        : size_(std::ssize(set.pictures)),
          labels_(std::move(set.labels)),
          numbers_(std::move(set.numbers)),
          frames_(std::move(set.pictures), form, draws.jitter, mostCached),
          form_(form),
          draws_(draws),
          fields_(std::move(fields)) {}

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        readWith(examples, field, destination, [](std::int64_t) { return FrameView{}; });
    }
    void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                std::span<std::byte> destination) const override {
        readWith(examples, field, destination,
                 [&](std::int64_t example) { return draws_.viewOf(example, epoch); });
    }

private:
    void readWith(std::span<const std::int64_t> examples, std::size_t field,
                  std::span<std::byte> destination, const auto& viewOf) const {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        const std::span<const std::byte> targets = labels_.empty()
                                                       ? std::as_bytes(std::span(numbers_))
                                                       : std::as_bytes(std::span(labels_));
        for (const std::int64_t example : examples) {
            if (field == 0) {
                auto* x = reinterpret_cast<float*>(destination.data());
                writeView(*frames_.at(example), form_, viewOf(example), {x, bytes / sizeof(float)});
            } else {
                std::memcpy(destination.data(),
                            targets.data() + static_cast<std::size_t>(example) * bytes, bytes);
            }
            destination = destination.subspan(bytes);
        }
    }

    std::int64_t size_;
    std::vector<std::int32_t> labels_;
    std::vector<float> numbers_;
    CachedFrames frames_;
    FrameForm form_;
    FrameAugmentation draws_;
    std::vector<Field> fields_;
};

bool isList(const std::string& name) {
    return endsWith(name, ".txt") || endsWith(name, ".csv") || endsWith(name, ".tsv");
}

class PicturesOpening {
public:
    explicit PicturesOpening(const OpenRequest& request)
        : request_(request), skips_(request.attributes.text("broken") == "skip") {}

    Data open() {
        if (request_.attributes.text("folder").empty() &&
            request_.attributes.text("train").empty()) {
            // The same error code as for missing files, which a file picker can fix.
            throw Error(ErrorCode::file, {}, "data source pictures: no pictures were named",
                        "name a folder with a folder of pictures per class");
        }
        PictureSet training = setNamed("train");
        classes_.close(training.labels);
        form_ = frameForm(training);
        Data data;
        check(training, data.problems);
        data.strata = training.labels;
        data.splitSeed = request_.attributes.integer("split_seed");
        const std::vector<Field> fields = fieldsOf(training);
        for (const auto& [name, source] :
             {std::pair{"validation", &data.validation}, {"test", &data.test}}) {
            if (request_.attributes.text(name).empty()) {
                continue;
            }
            PictureSet set = setNamed(name);
            if (fieldsOf(set) != fields) {
                request_.refuse(name, "the pictures have other labels than those for training",
                                "give both the same kind of labels");
            }
            check(set, data.problems);
            *source = make(std::move(set), {}, fields);
        }
        data.classNames = classes_.names();
        data.training = make(std::move(training), frameAugmentation(request_.attributes), fields);
        return normalised(std::move(data), {0}, request_);
    }

    SourcePointer openOffered(const fs::path& path) {
        PictureSet set;
        for (Film& film : filmsOf({path})) {
            std::ranges::move(film, std::back_inserter(set.pictures));
        }
        form_ = frameForm(set);
        Data data;
        const std::vector<Field> fields = fieldsOf(set);
        data.training = make(std::move(set), {}, fields);
        return normalised(std::move(data), {0}, request_).training;
    }

private:
    PictureSet setNamed(const std::string& attribute) {
        const Attributes& attributes = request_.attributes;
        const fs::path path = request_.locate(attributes.text(attribute));
        const bool areClasses = attributes.text("target_type") == "class";
        // Folders of other sets beside the classes are no classes.
        const std::vector<std::string> others =
            attributes.text(attribute).empty()
                ? std::vector{attributes.text("validation"), attributes.text("test")}
                : std::vector<std::string>{};
        PictureSet set = isList(path.filename().string())
                             ? picturesInList(path, classes_, areClasses, request_.looked)
                             : picturesByClass(path, classes_, others, request_.looked);
        if (request_.opened != nullptr) {
            std::ranges::transform(set.pictures, std::back_inserter(*request_.opened),
                                   &PictureAt::path);
        }
        return set;
    }

    [[nodiscard]] FrameForm frameForm(const PictureSet& set) const {
        const Attributes& attributes = request_.attributes;
        const std::vector<std::int64_t> size = attributes.integers("size");
        if (size.size() > 2) {
            request_.refuse("size", fmt::format("{} numbers", size.size()),
                            "set size to rows and columns");
        }
        const std::string& fit = attributes.text("fit");
        FrameForm form{.channels = attributes.text("channels") == "rgb" ? 3 : 1,
                       .isPadded = fit != "crop" && fit != "cover",
                       .isScaled = fit == "cover" || fit == "contain",
                       .isStretched = fit == "stretch",
                       .background = attributes.real("background")};
        if (size.empty()) {
            const PictureForm first = firstForm(set);
            form.rows = first.rows;
            form.columns = first.columns;
        } else {
            form.rows = size.front();
            form.columns = size.back();
        }
        return form;
    }

    /// The form of the first picture, or of the first that can be read if others are skipped.
    [[nodiscard]] PictureForm firstForm(const PictureSet& set) const {
        for (std::size_t at = 0; skips_ && at + 1 < set.pictures.size(); ++at) {
            if (findBrokenPictures({set.pictures[at]}).empty()) {
                return formOf(set.pictures[at]);
            }
        }
        return formOf(skips_ ? set.pictures.back() : set.pictures.front());
    }

    /// Removes or refuses broken pictures, and refuses those that do not fit. A description reads
    /// only the headers of some pictures, unless broken ones are skipped, which it must count.
    void check(PictureSet& set, std::vector<Diagnostic>& problems) const {
        if (skips_) {
            std::ranges::for_each(set.pictures,
                                  [&](const PictureAt& each) { request_.looksAt(each.path); });
            skipBroken(set, problems);
        }
        constexpr std::size_t most = 64;
        const std::size_t all = set.pictures.size();
        const std::size_t count = request_.describe ? std::min(most, all) : all;
        for (std::size_t k = 0; k < count; ++k) {
            const PictureAt& picture = set.pictures[k * all / count];
            request_.looksAt(picture.path);
            const std::optional<FrameMismatch> misfit = frameMismatch(formOf(picture), form_);
            if (!misfit) {
                continue;
            }
            if (!request_.describe) {
                throw Error(ErrorCode::format, {.file = picture.path.string()}, misfit->problem,
                            misfit->remedy);
            }
            const std::string fit = misfit->fit.empty() ? "cover" : misfit->fit;
            problems.push_back(
                {.code = "E046",
                 .layerName = "data",
                 .attribute = "fit",
                 .text = fmt::format("{} {}", picture.path.filename().string(), misfit->problem),
                 .fix = fixBy(misfit->remedy, "data", {"source.with.fit", fit})});
            return;
        }
    }

    static void skipBroken(PictureSet& set, std::vector<Diagnostic>& problems) {
        const std::vector<BrokenPicture> broken = findBrokenPictures(set.pictures);
        if (broken.empty()) {
            return;
        }
        constexpr std::size_t mostNamed = 3;
        std::string named;
        std::vector<std::size_t> places;
        for (const BrokenPicture& each : broken) {
            if (places.size() < mostNamed) {
                named += fmt::format("{}{} {}", places.empty() ? "" : ", ",
                                     set.pictures[each.at].path.string(), each.problem);
            }
            places.push_back(each.at);
        }
        const std::size_t all = set.pictures.size();
        if (broken.size() == all) {
            throw Error(ErrorCode::format, {.file = set.pictures.front().path.string()},
                        broken.front().problem + ", and no other picture can be read either",
                        "replace the pictures");
        }
        problems.push_back({.code = "W047",
                            .severity = Severity::warning,
                            .layerName = "data",
                            .attribute = "broken",
                            .text = fmt::format("{} of {} pictures cannot be read and are left "
                                                "out: {}{}",
                                                broken.size(), all, named,
                                                broken.size() > mostNamed ? ", ..." : ""),
                            .fix = {"replace or remove them", {}}});
        set.remove(places);
    }

    [[nodiscard]] std::vector<Field> fieldsOf(const PictureSet& set) const {
        std::vector<Field> fields = {{.name = "images",
                                      .dtype = DType::f32,
                                      .shape = {form_.channels, form_.rows, form_.columns},
                                      .help = "Pictures [channels, height, width]."}};
        if (!set.labels.empty()) {
            fields.push_back({"labels",
                              DType::i32,
                              {},
                              static_cast<std::int64_t>(classes_.names().size()),
                              "Classes, from 0."});
        } else if (set.targets > 0) {
            fields.push_back({.name = "targets",
                              .dtype = DType::f32,
                              .shape = {set.targets},
                              .help = "The numbers that the list file gives for each picture."});
        }
        return fields;
    }

    [[nodiscard]] SourcePointer make(PictureSet set, const FrameAugmentation& draws,
                                     const std::vector<Field>& fields) const {
        return std::make_shared<PicturesSource>(std::move(set), form_, draws, fields);
    }

    const OpenRequest& request_;
    bool skips_;
    ClassWords classes_;
    FrameForm form_;
};

Data openPictures(const OpenRequest& request) { return PicturesOpening(request).open(); }

SourcePointer openOfferedPictures(const OpenRequest& request, const fs::path& path) {
    return endsWith(path.filename().string(), ".csv") || endsWith(path.filename().string(), ".tsv")
               ? nullptr
               : PicturesOpening(request).openOffered(path);
}

bool hasPictures(const std::vector<std::string>& names) {
    return std::ranges::any_of(names, [](const std::string& name) {
        const PictureEnding ending = pictureEnding(name);
        return ending == PictureEnding::picture || ending == PictureEnding::pages;
    });
}

/// Returns the number of subfolders that contain pictures.
std::ptrdiff_t classesIn(const OfferedFiles& files) {
    return std::ranges::count_if(files.inner, [&](const std::string& folder) {
        return hasPictures(offeredFiles({files.folder / folder}).names);
    });
}

bool isListOfPictures(const fs::path& path) {
    try {
        RecordReader records(path, '\0');
        Record line;
        for (int k = 0; k < 2 && records.next(line); ++k) { // the first line may be a header
            if (line.fields.size() > 1 && hasPictures({line.fields.front()})) {
                return true;
            }
        }
    } catch (const Error&) { // the file is not a list of pictures
    }
    return false;
}

/// A single folder of pictures in a folder is a movie, and so are pictures alone.
std::optional<Attributes> recognisePictures(const OfferedFiles& files) {
    const auto list = std::ranges::find_if(files.names, [&](const std::string& name) {
        return isList(name) && isListOfPictures(files.folder / name);
    });
    if (!files.isWhole && list != files.names.end()) {
        return Attributes{{"folder", files.folder.string()}, {"train", *list}};
    }
    if (!files.isWhole || hasPictures(files.names)) {
        return std::nullopt;
    }
    if (classesIn(files) > 1) {
        return Attributes{{"folder", files.folder.string()}};
    }
    Attributes found{{"folder", files.folder.string()}};
    for (const std::string& folder : files.inner) {
        if (classesIn(offeredFiles({files.folder / folder})) < 2) {
            continue;
        }
        const bool isForValidation = hasWord(folder, "val");
        found.set(isForValidation          ? "validation"
                  : isTestFileName(folder) ? "test"
                                           : "train",
                  folder);
    }
    return found.has("train") ? std::optional(found) : std::nullopt;
}

std::vector<AttributeSpec> placeAttributes() {
    const char* form = ": a folder with a folder of pictures per class, or a list file (.txt, "
                       ".csv, .tsv) with a path, relative to the list, and a label or numbers on "
                       "each line";
    return {{.name = "folder",
             .defaultValue = std::string(),
             .help = "Folder of the pictures, relative to the design.",
             .content = TextContent::folder},
            {.name = "train",
             .defaultValue = std::string(),
             .help = fmt::format("Training pictures in that folder{}. Empty: the folder itself.",
                                 form)},
            {.name = "validation",
             .defaultValue = std::string(),
             .help = "Validation pictures: a folder or a list file, as for train. Empty: those "
                     "that data.validation holds out."},
            {.name = "test",
             .defaultValue = std::string(),
             .help = "Test pictures: a folder or a list file, as for train. Empty: no test "
                     "data."},
            {.name = "target_type",
             .defaultValue = std::string("class"),
             .help = "What a list has after the path. class: a label; number: numbers to be "
                     "predicted.",
             .choices = {"class", "number"}}};
}

std::vector<AttributeSpec> formAttributes() {
    return {{.name = "channels",
             .defaultValue = std::string("rgb"),
             .help = "Colours of an example; pictures are converted.",
             .choices = {"rgb", "grey"}},
            {.name = "size",
             .defaultValue = std::vector<std::int64_t>{},
             .help = "Size of an example: rows and columns. Empty: the size of the first picture.",
             .least = 1,
             .most = 16384},
            {.name = "fit",
             .defaultValue = std::string("cover"),
             .help = "How pictures of another size become examples. cover: scale until the picture "
                     "covers the example, then center crop; contain: scale until it fits into the "
                     "example, then pad; stretch: scale rows and columns separately; crop: center "
                     "crop, each picture must be large enough; pad: center crop, smaller pictures "
                     "are padded.",
             .choices = {"cover", "contain", "stretch", "crop", "pad"}},
            {.name = "background",
             .defaultValue = 0.0,
             .help = "Grey behind transparent pixels and in padding, from 0 (black) to 1 (white).",
             .least = 0,
             .most = 1},
            {.name = "broken",
             .defaultValue = std::string("refuse"),
             .help = "What happens to pictures that cannot be read. refuse: an error names the "
                     "first; skip: they are named and left out, for which every picture is decoded "
                     "once before the run.",
             .choices = {"refuse", "skip"}}};
}

} // namespace

void pictures(SourceList& list) {
    SourceKind kind;
    kind.name = "pictures";
    kind.title = "Pictures by class";
    kind.help =
        "Pictures of any size (PNG, PGM, PPM, JPEG and TIFF): a folder with a folder per "
        "class, as for torchvision's ImageFolder, or a list file. Values are from 0 to 1; "
        "JPEG files are turned as their EXIF data say. Classes are sorted: by value if all "
        "names are numbers, otherwise by name. Fields: images [channels, height, width] and "
        "labels, or targets if a list has numbers. A run reads the header of every file "
        "before it starts, `weft check` those of 64 files. Decoded pictures are cached in "
        "up to 128 MiB.";
    kind.origin = "put the pictures of each class into a folder with its name";
    for (auto specs : {placeAttributes(), formAttributes(), normalisingAttributes(1),
                       augmentationAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.attributes.push_back(splitSeedAttribute());
    kind.open = openPictures;
    kind.openOffered = openOfferedPictures;
    kind.recognise = recognisePictures;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
