// SPDX-License-Identifier: Apache-2.0
// Reads pictures as film frames, from folders, lists and files of many pages.
#include "base/text/mending.h"
#include "data/films/cached_frames.h"
#include "data/films/film_order.h"
#include "data/films/frame_augmentation.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

namespace weft::sources {

namespace {

constexpr std::size_t mostKept = std::size_t{128} << 20U;

using Frames = std::shared_ptr<const CachedFrames>;

class FramesSource final : public FilmSource {
public:
    /// `isDrawnByFilm`: all examples of a film have the same view.
    FramesSource(Frames frames, const FrameForm& form, const FrameAugmentation& draws,
                 bool isDrawnByFilm, FilmExamples examples, ExampleOrder order)
        : FilmSource({form.channels, form.rows, form.columns}, std::move(examples),
                     std::move(order)),
          frames_(std::move(frames)),
          form_(form),
          draws_(draws),
          isDrawnByFilm_(isDrawnByFilm) {}

private:
    void draw(const FilmExamples::Place& at, std::int64_t k, std::int64_t epoch,
              std::span<float> x) const override {
        writeView(*frames_->at(at.frame + k), form_,
                  draws_.viewOf(isDrawnByFilm_ ? at.film : at.frame, epoch), x);
    }

    Frames frames_;
    FrameForm form_;
    FrameAugmentation draws_;
    bool isDrawnByFilm_;
};

class FramesOpening {
public:
    explicit FramesOpening(const OpenRequest& request)
        : request_(request), span_(request.attributes.integer("frames")) {}

    Data open() {
        const std::string& folder = request_.attributes.text("folder");
        const std::string& files = request_.attributes.text("files");
        if (folder.empty() && files.empty()) {
            // The same error code as for missing files, which a file picker can fix.
            throw Error(ErrorCode::file, {}, "data source frames: no pictures were named",
                        "name a folder of pictures, or files");
        }
        const std::vector<Film> films = filmsNamed(files);
        first_ = formOf(films.front().front());
        form_ = frameForm();
        const FilmSplit cut = splitFilms(request_, lengthsOf(films), span_);
        const Frames frames = checked(films);
        Data data;
        if (request_.describe) {
            look(films, data.problems);
        }
        data.training = make(frames, cut.training, frameAugmentation(request_.attributes));
        data.validation = cut.validation.empty() ? nullptr : make(frames, cut.validation, {});
        if (const std::string& test = request_.attributes.text("test"); !test.empty()) {
            const std::vector<Film> tested = filmsNamed(test);
            if (request_.describe) {
                look(tested, data.problems);
            }
            data.test =
                make(checked(tested), splitFilms(lengthsOf(tested), span_, 0, false).training, {});
        }
        return data;
    }

    SourcePointer openOffered(const std::filesystem::path& path) {
        const std::vector<Film> films = filmsOf({path});
        first_ = formOf(films.front().front());
        form_ = frameForm();
        const FilmSplit whole = splitFilms(lengthsOf(films), span_, 0, false);
        return make(checked(films), whole.training, {});
    }

private:
    [[nodiscard]] std::vector<Film> filmsNamed(const std::string& names) const {
        std::vector<std::filesystem::path> paths;
        for (const std::string& name : splitAtCommas(names)) {
            paths.push_back(request_.locate(name));
        }
        if (paths.empty()) {
            paths.push_back(request_.locate(""));
        }
        std::vector<Film> films = filmsOf(paths, request_.looked);
        for (const Film& film : films) {
            if (pictureEnding(film.front().path.filename().string()) == PictureEnding::pages) {
                request_.looksAt(
                    film.front().path); // the description depends on the number of its pages
            }
        }
        if (request_.opened != nullptr) {
            for (const Film& film : films) {
                std::ranges::transform(film, std::back_inserter(*request_.opened),
                                       &PictureAt::path);
            }
        }
        return films;
    }

    [[nodiscard]] std::vector<std::int64_t> lengthsOf(const std::vector<Film>& films) const {
        std::vector<std::int64_t> lengths;
        for (const Film& film : films) {
            lengths.push_back(static_cast<std::int64_t>(film.size()));
            if (lengths.back() < span_) {
                throw Error(ErrorCode::format, {.file = film.front().path.string()},
                            fmt::format("begins a movie of {} frames, but an example needs {}",
                                        film.size(), span_),
                            "remove the movie, or lower frames");
            }
        }
        return lengths;
    }

    [[nodiscard]] FrameForm frameForm() const {
        const Attributes& attributes = request_.attributes;
        const std::string& channels = attributes.text("channels");
        const std::vector<std::int64_t> size = attributes.integers("size");
        const std::vector<std::int64_t> offset = attributes.integers("offset");
        const std::string& fit = attributes.text("fit");
        const bool isScaled = fit == "cover" || fit == "contain";
        FrameForm form{.channels = channels == "as_is" ? first_.channels
                                   : channels == "rgb" ? 3
                                                       : 1,
                       .rows = size.empty() ? first_.rows : size.front(),
                       .columns = size.empty() ? first_.columns : size.back(),
                       .isWhole = size.empty() && !isScaled,
                       .isPadded = fit == "pad" || fit == "contain",
                       .isScaled = isScaled,
                       .down = offset.front(),
                       .right = offset.back(),
                       .norm = frameNormOf(attributes)};
        if (size.size() > 2) {
            request_.refuse("size", fmt::format("{} numbers", size.size()),
                            "set size to rows and columns");
        }
        const PictureForm scaled = scaledForm(first_, form);
        const bool hasRoom =
            form.isPadded ||
            (!form.isWhole && (form.rows < scaled.rows || form.columns < scaled.columns));
        if (attributes.integer("jitter") > 0 && !hasRoom) {
            request_.refuse(
                "jitter",
                "the frames have the size of the pictures, which leaves no room for random shifts",
                "set size to fewer pixels, or fit to pad");
        }
        return form;
    }

    /// Reads the headers of some pictures, the first and others evenly distributed, which is cheap
    /// even for thousands.
    void look(const std::vector<Film>& films, std::vector<Diagnostic>& problems) const {
        constexpr std::size_t most = 64;
        std::vector<const PictureAt*> all;
        for (const Film& film : films) {
            std::ranges::transform(film, std::back_inserter(all),
                                   [](const PictureAt& frame) { return &frame; });
        }
        const std::size_t count = std::min(most, all.size());
        std::size_t wrong = 0;
        Diagnostic first;
        for (std::size_t k = 0; k < count; ++k) {
            const PictureAt& frame = *all[k * all.size() / count];
            request_.looksAt(frame.path);
            if (std::optional<Diagnostic> problem = problemOf(frame)) {
                first = wrong++ == 0 ? std::move(*problem) : first;
            }
        }
        if (wrong == 0) {
            return;
        }
        if (all.size() > 1) {
            first.text += fmt::format(
                "; of {} pictures{} {} not fit", count,
                count == all.size() ? std::string()
                                    : fmt::format(" that were checked, out of {},", all.size()),
                wrong == 1 ? "1 does" : fmt::format("{} do", wrong));
        }
        problems.push_back(std::move(first));
    }

    /// Includes the fix as an edit if it needs no number from the user.
    [[nodiscard]] std::optional<Diagnostic> problemOf(const PictureAt& frame) const {
        const PictureForm form = formOf(frame);
        const bool isOfChannels = hasOtherChannels(form);
        const std::optional<FrameMismatch> misfit =
            isOfChannels ? std::optional(otherChannels(form)) : frameMismatch(form, form_);
        if (!misfit) {
            return std::nullopt;
        }
        Diagnostic problem{
            .code = "E046",
            .layerName = "data",
            .attribute = misfit->attribute,
            .text = fmt::format("{} {}", frame.path.filename().string(), misfit->problem),
            .fix = {misfit->remedy, {}}};
        if (isOfChannels) {
            problem.fix = fixBy(misfit->remedy, "data", {"source.with.channels", "grey"});
        } else if (!misfit->fit.empty()) {
            problem.fix = fixBy(misfit->remedy, "data", {"source.with.fit", misfit->fit});
        }
        return problem;
    }

    [[nodiscard]] bool hasOtherChannels(const PictureForm& form) const {
        return request_.attributes.text("channels") == "as_is" && form.channels != first_.channels;
    }

    [[nodiscard]] FrameMismatch otherChannels(const PictureForm& form) const {
        return {.attribute = "channels",
                .problem = fmt::format("has {} channels, but the first picture has {}",
                                       form.channels, first_.channels),
                .fit = {},
                .remedy = "set channels to grey, or to rgb"};
    }

    /// Returns all frames, each checked unless only described.
    [[nodiscard]] Frames checked(const std::vector<Film>& films) const {
        Film frames;
        for (const Film& film : films) {
            for (const PictureAt& frame : film) {
                request_.describe ? void() : ensureAlike(frame);
                frames.push_back(frame);
            }
        }
        return std::make_shared<CachedFrames>(std::move(frames), form_,
                                              request_.attributes.integer("jitter"), mostKept);
    }

    void ensureAlike(const PictureAt& frame) const {
        const PictureForm form = formOf(frame);
        if (hasOtherChannels(form)) {
            const FrameMismatch misfit = otherChannels(form);
            throw Error(ErrorCode::format, {.file = frame.path.string()}, misfit.problem,
                        misfit.remedy);
        }
        ensureFits(frame.path, form, form_);
    }

    [[nodiscard]] SourcePointer make(Frames frames, const std::vector<FilmPart>& parts,
                                     const FrameAugmentation& draws) const {
        return std::make_shared<FramesSource>(std::move(frames), form_, draws,
                                              request_.attributes.text("drawn") == "film",
                                              FilmExamples(parts, span_), filmOrder(request_));
    }

    const OpenRequest& request_;
    std::int64_t span_;
    PictureForm first_; ///< size of the first picture
    FrameForm form_;
};

Data openFrames(const OpenRequest& request) { return FramesOpening(request).open(); }

SourcePointer openOfferedFrames(const OpenRequest& request, const std::filesystem::path& path) {
    Attributes plain = request.attributes;
    plain.set("jitter", std::int64_t{0});
    plain.set("order", std::string("by_file"));
    plain.set("starts", std::vector<std::int64_t>{});
    const OpenRequest offered{
        .kind = request.kind, .attributes = plain, .folders = request.folders};
    return FramesOpening(offered).openOffered(path);
}

std::vector<std::string> picturesAmong(const std::vector<std::string>& names) {
    std::vector<std::string> pictures;
    std::ranges::copy_if(names, std::back_inserter(pictures), [](const std::string& name) {
        const PictureEnding ending = pictureEnding(name);
        return ending == PictureEnding::picture || ending == PictureEnding::pages;
    });
    return pictures;
}

std::optional<Attributes> recogniseFrames(const OfferedFiles& files) {
    std::vector<std::string> pictures = picturesAmong(files.names);
    const auto isFilm = [&](const std::string& folder) {
        return !picturesAmong(offeredFiles({files.folder / folder}).names).empty();
    };
    if (pictures.empty() && std::ranges::none_of(files.inner, isFilm)) {
        return std::nullopt;
    }
    std::ranges::sort(pictures, isBeforeNaturally);
    return Attributes{
        {"folder", files.folder.string()},
        {"files", files.isWhole ? std::string() : fmt::format("{}", fmt::join(pictures, ", "))}};
}

std::vector<AttributeSpec> pictureAttributes() {
    return {
        {.name = "channels",
         .defaultValue = std::string("grey"),
         .help =
             "Colours of a frame; images are converted. as_is: keep the channels, which must be "
             "the same in all images.",
         .choices = {"grey", "rgb", "as_is"}},
        {.name = "size",
         .defaultValue = std::vector<std::int64_t>{},
         .help = "Frame size: rows and columns. Empty: the size of the images, which must agree, "
                 "or of the first image if `fit` scales the others.",
         .least = 1,
         .most = 16384},
        {.name = "fit",
         .defaultValue = std::string("crop"),
         .help = "How images of another size become frames; the aspect ratio is kept. crop: center "
                 "crop, each image must be large enough; pad: center crop, smaller images are "
                 "zero-padded; cover: scale until the image covers the frame, then center crop; "
                 "contain: scale until the image fits into the frame, then zero-pad. Scaling "
                 "averages over the covered area.",
         .choices = {"crop", "pad", "cover", "contain"}},
        {.name = "offset",
         .defaultValue = std::vector<std::int64_t>{0, 0},
         .help = "Offset of the crop from the center of the image, down and right, in pixels of "
                 "the frame.",
         .least = -16384,
         .most = 16384,
         .count = 2},
        normaliseAttribute("unit")};
}

AttributeSpec drawnAttribute() {
    return {.name = "drawn",
            .defaultValue = std::string("frame"),
            .help = "Whether random shifts and flips are drawn per frame or per movie.",
            .choices = {"frame", "film"}};
}

} // namespace

void frames(SourceList& list) {
    SourceKind kind;
    kind.name = "frames";
    kind.title = "Movie frames";
    kind.help =
        "Image sequences: PNG, PGM, PPM, JPEG and TIFF with 8 or 16 bits. A folder of images is "
        "one movie, sorted by name in natural order; a folder of folders contains one movie per "
        "folder; a TIFF with several pages is one movie. Fields: images [frames channels, height, "
        "width], begins and frame. A run reads the header of every file before it starts, `weft "
        "check` those of 64 files. Decoded frames are cached in up to 128 MiB. Depending on order, "
        "each batch element plays a movie of its own that continues from step to step, for layers "
        "with state per batch element, which need the assignment `batch`. Layers without state "
        "treat frames as independent examples and may use `data`.";
    kind.origin = "put images into a folder, for example with ffmpeg -i film.mp4 frames/%06d.png";
    kind.attributes = {
        {.name = "folder",
         .defaultValue = std::string(),
         .help = "Folder of the images, relative to the design.",
         .content = TextContent::folder},
        {.name = "files",
         .defaultValue = std::string(),
         .help =
             "Training data in that folder, comma-separated: folders, images (together one movie) "
             "and list files. A list file ends in .txt and has one path per line, relative to the "
             "list file; an empty line ends a movie, # starts a comment. Empty: the whole folder.",
         .content = TextContent::files},
        {.name = "test",
         .defaultValue = std::string(),
         .help = "Test data in that folder: folders, images and list files. Empty: no test data.",
         .content = TextContent::files}};
    for (auto specs : {pictureAttributes(), filmAttributes(), augmentationAttributes()}) {
        std::ranges::move(specs, std::back_inserter(kind.attributes));
    }
    kind.attributes.push_back(drawnAttribute());
    kind.open = openFrames;
    kind.openOffered = openOfferedFrames;
    kind.recognise = recogniseFrames;
    list.push_back(std::move(kind));
}

} // namespace weft::sources
