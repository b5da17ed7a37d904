// SPDX-License-Identifier: Apache-2.0
#include "data/films/picture_sets.h"

#include "base/files/files.h"
#include "data/file_state.h"
#include "data/films/film_list.h"
#include "data/tables/records.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <system_error>
#include <utility>

namespace weft {

namespace {

namespace fs = std::filesystem;

/// Names of pictures and of folders in a folder, without hidden ones, in natural order. Files that
/// only look like pictures are found when they are read.
struct Listing {
    std::vector<std::string> pictures;
    std::vector<std::string> folders;
};

Listing listingOf(const fs::path& folder) {
    Listing listing;
    std::error_code error;
    fs::directory_iterator each(folder, error);
    for (; !error && each != fs::directory_iterator(); each.increment(error)) {
        std::string name = each->path().filename().string();
        std::error_code unseen;
        if (name.starts_with('.')) {
            continue;
        }
        if (each->is_directory(unseen)) {
            listing.folders.push_back(std::move(name));
        } else if (pictureEnding(name) != PictureEnding::none) {
            listing.pictures.push_back(std::move(name));
        }
    }
    if (error) {
        throwFileError(folder, "read", error.value());
    }
    std::ranges::sort(listing.pictures, isBeforeNaturally);
    std::ranges::sort(listing.folders, isBeforeNaturally);
    return listing;
}

/// Lists the pictures of a folder and of its folders.
class PictureWalk {
public:
    /// `looked`: receives the folders; may be nullptr.
    explicit PictureWalk(std::vector<fs::path>* looked) : looked_(looked) {}

    void walk(const fs::path& folder) {
        std::error_code error;
        const fs::path whole = fs::canonical(folder, error);
        leaveOut(whole.parent_path());
        walk(folder, 0);
    }

    /// Links to this absolute folder and to those around it are not followed.
    void leaveOut(const fs::path& folder) {
        for (fs::path around = folder; !around.empty(); around = around.parent_path()) {
            static_cast<void>(isNew(around));
            if (around == around.parent_path()) {
                break;
            }
        }
    }

    std::vector<PictureAt> take() { return std::move(pictures_); }

private:
    void walk(const fs::path& folder, int depth) {
        constexpr int deepest = 32;
        if (depth == deepest || !isNew(folder)) {
            return;
        }
        if (looked_ != nullptr) {
            looked_->push_back(folder);
        }
        const Listing listing = listingOf(folder);
        for (const std::string& name : listing.pictures) {
            pictures_.push_back({folder / name, 0});
        }
        for (const std::string& name : listing.folders) {
            walk(folder / name, depth + 1);
        }
    }

    bool isNew(const fs::path& folder) {
        const FileState state = fileStateOf(folder);
        if (!state.isThere()) {
            throwFileError(folder, "read", errno);
        }
        return seen_.emplace(state.device, state.number).second;
    }

    std::set<std::pair<dev_t, ino_t>> seen_;
    std::vector<PictureAt> pictures_;
    std::vector<fs::path>* looked_;
};

[[noreturn]] void fail(const fs::path& file, std::int64_t line, const std::string& what,
                       const std::string& remedy) {
    throw Error(ErrorCode::format, {.file = file.string(), .line = line}, what, remedy);
}

/// True if a relative path begins with this folder: "val" in "val", "./val/" and "val/more".
bool leads(const std::string& folder, const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return !normal.empty() && *normal.begin() == folder;
}

/// Reads the lines of a list file.
class ListReading {
public:
    ListReading(const fs::path& list, ClassWords& classes, bool areClasses,
                std::vector<fs::path>* looked)
        : list_(list), classes_(classes), areClasses_(areClasses), looked_(looked) {}

    PictureSet read() {
        RecordReader records(list_, '\0');
        for (Record line; records.next(line);) {
            if (line.fields.front().starts_with('#') || isHeader(line)) {
                continue;
            }
            if (fields_ == 0) {
                begin(line);
            } else if (line.fields.size() != fields_) {
                fail(list_, line.line,
                     fmt::format("has {} fields, but the first line has {}", line.fields.size(),
                                 fields_),
                     "give each picture as many labels or numbers; quote a path that contains the "
                     "separator");
            }
            add(line);
        }
        if (set_.pictures.empty()) {
            fail(list_, -1, "lists no pictures", "write a path and a label on each line");
        }
        return std::move(set_);
    }

private:
    /// The first line names the columns if its first field is no picture.
    [[nodiscard]] bool isHeader(const Record& line) {
        const bool isFirst = std::exchange(isFirst_, false);
        return isFirst && pictureEnding(line.fields.front()) == PictureEnding::none;
    }

    void begin(const Record& line) {
        fields_ = line.fields.size();
        if (areClasses_ && fields_ > 2) {
            fail(list_, line.line, fmt::format("has {} labels", fields_ - 1),
                 "give one label, or set target_type to number");
        }
        set_.targets = areClasses_ ? 0 : static_cast<std::int64_t>(fields_) - 1;
    }

    void add(const Record& line) {
        fs::path path = (list_.parent_path() / line.fields.front()).lexically_normal();
        std::error_code unseen;
        if (!fs::exists(path, unseen)) {
            if (looked_ != nullptr) {
                looked_->push_back(path);
            }
            fail(list_, line.line, fmt::format("names {}, where there is no file", path.string()),
                 "correct the list: its paths are relative to its own folder");
        }
        set_.pictures.push_back({std::move(path), 0});
        for (std::size_t k = 1; k < fields_; ++k) {
            const std::string& field = line.fields[k];
            if (areClasses_) {
                set_.labels.push_back(label(line, field));
                continue;
            }
            const std::optional<float> number = parseNumber(field);
            if (!number) {
                fail(list_, line.line,
                     fmt::format("has {}, which is no number", quoteShortened(field)),
                     "correct it, or set target_type to class");
            }
            set_.numbers.push_back(*number);
        }
    }

    [[nodiscard]] std::int32_t label(const Record& line, const std::string& field) {
        const std::optional<std::int32_t> id =
            isMissing(field) ? std::nullopt : classes_.idOf(field);
        if (!id) {
            fail(list_, line.line,
                 isMissing(field)      ? "has no label"
                 : classes_.isClosed() ? fmt::format("has the label {}, which is no class of the "
                                                     "training pictures",
                                                     quoteShortened(field))
                                       : "has a class too many",
                 "correct the label, or remove the line");
        }
        return *id;
    }

    const fs::path& list_;
    ClassWords& classes_;
    bool areClasses_;
    std::vector<fs::path>* looked_; ///< receives a path without a file; may be nullptr
    bool isFirst_ = true;
    std::size_t fields_ = 0; ///< per line; 0: none was read
    PictureSet set_;
};

} // namespace

void PictureSet::remove(const std::vector<std::size_t>& places) {
    const auto isGone = [&](std::size_t at) { return std::ranges::binary_search(places, at); };
    const auto each = static_cast<std::size_t>(targets);
    std::size_t to = 0;
    for (std::size_t from = 0; from < pictures.size(); ++from) {
        if (isGone(from)) {
            continue;
        }
        if (to != from) {
            pictures[to] = std::move(pictures[from]);
            if (!labels.empty()) {
                labels[to] = labels[from];
            }
            for (std::size_t k = 0; k < each; ++k) {
                numbers[to * each + k] = numbers[from * each + k];
            }
        }
        ++to;
    }
    pictures.resize(to);
    labels.resize(labels.empty() ? 0 : to);
    numbers.resize(to * each);
}

PictureSet picturesByClass(const std::filesystem::path& folder, ClassWords& classes,
                           const std::vector<std::string>& without,
                           std::vector<std::filesystem::path>* looked) {
    PictureSet set;
    std::error_code error;
    const fs::path whole = fs::canonical(folder, error);
    for (const std::string& name : listingOf(folder).folders) {
        if (std::ranges::any_of(without, [&](const fs::path& path) { return leads(name, path); })) {
            continue;
        }
        const std::optional<std::int32_t> id = classes.idOf(name);
        if (!id) {
            fail(folder / name, -1,
                 classes.isClosed() ? "is no class of the training pictures"
                                    : "is a class too many",
                 "rename the folder, or remove it");
        }
        PictureWalk walk(looked);
        walk.leaveOut(whole);
        walk.walk(folder / name);
        std::vector<PictureAt> pictures = walk.take();
        if (pictures.empty()) {
            fail(folder / name, -1, "contains no pictures, but each folder is a class",
                 "add pictures, or remove the folder");
        }
        set.labels.insert(set.labels.end(), pictures.size(), *id);
        std::ranges::move(pictures, std::back_inserter(set.pictures));
    }
    if (set.pictures.empty()) {
        fail(folder, -1, "contains no folders of pictures",
             "put the pictures of each class into a folder with its name, or name a list file");
    }
    return set;
}

PictureSet picturesInList(const std::filesystem::path& list, ClassWords& classes, bool areClasses,
                          std::vector<std::filesystem::path>* looked) {
    return ListReading(list, classes, areClasses, looked).read();
}

} // namespace weft
