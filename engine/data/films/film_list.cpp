// SPDX-License-Identifier: Apache-2.0
#include "data/films/film_list.h"

#include "base/files/files.h"
#include "data/offered_files.h"
#include <weft/error.h>

#include <algorithm>
#include <system_error>
#include <utility>

namespace weft {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestList = std::size_t{64} << 20U;

bool isDigit(char letter) { return letter >= '0' && letter <= '9'; }

/// Removes leading digits from `text` and returns them without leading zeros.
std::string_view takeDigits(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end])) {
        ++end;
    }
    std::string_view digits = text.substr(0, end);
    text.remove_prefix(end);
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
    return digits;
}

/// Collects films from picture paths in order.
class FilmGathering {
public:
    explicit FilmGathering(std::vector<fs::path>* looked) : looked_(looked) {}

    void add(const fs::path& path) {
        if (pictureEnding(path.filename().string()) != PictureEnding::pages) {
            film_.push_back({path, 0});
            return;
        }
        Film pages = pagesOf(path);
        if (pages.size() == 1) {
            film_.push_back(std::move(pages.front()));
            return;
        }
        close();
        films_.push_back(std::move(pages));
    }

    void close() {
        if (!film_.empty()) {
            films_.push_back(std::exchange(film_, {}));
        }
    }

    void addFolder(const fs::path& folder, bool takesFolders) {
        std::vector<std::string> pictures;
        std::vector<std::string> folders;
        look(folder, pictures, folders);
        std::ranges::for_each(pictures, [&](const std::string& name) { add(folder / name); });
        close();
        for (const std::string& name : folders) {
            if (takesFolders) {
                looksAt(folder / name);
                addFolder(folder / name, false);
            }
        }
    }

    void addList(const fs::path& list) {
        close();
        const std::string text = readFile(list, longestList);
        const std::size_t before = films_.size();
        constexpr std::string_view byteOrderMark =
            "\xef\xbb\xbf"; // some editors begin a file with it
        for (std::size_t at = text.starts_with(byteOrderMark) ? byteOrderMark.size() : 0;
             at < text.size();) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            std::string_view line = std::string_view(text).substr(at, end - at);
            at = end + 1;
            while (!line.empty() &&
                   (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) {
                line.remove_suffix(1);
            }
            if (line.empty()) {
                close();
            } else if (line.front() != '#') {
                addLine(list, line);
            }
        }
        close();
        if (films_.size() == before) {
            throw Error(ErrorCode::format, {.file = list.string()}, "lists no pictures",
                        "write the path of a picture on each line");
        }
    }

    std::vector<Film> take() {
        close();
        return std::move(films_);
    }

private:
    /// Lists a folder by names and not by paths, because it may have hundreds of thousands of
    /// files.
    static void look(const fs::path& folder, std::vector<std::string>& pictures,
                     std::vector<std::string>& folders) {
        std::error_code error;
        fs::directory_iterator each(folder, error);
        for (; !error && each != fs::directory_iterator(); each.increment(error)) {
            const std::string name = each->path().filename().string();
            std::error_code unseen;
            const bool isHidden = name.starts_with('.');
            if (!isHidden && each->is_directory(unseen)) {
                folders.push_back(name);
                continue;
            }
            if (isHidden || pictureEnding(name) == PictureEnding::none) {
                continue;
            }
            refuseUnreadable(each->path());
            pictures.push_back(name);
        }
        if (error) {
            throwFileError(folder, "read", error.value());
        }
        std::ranges::sort(pictures, isBeforeNaturally);
        std::ranges::sort(folders, isBeforeNaturally);
    }

    void addLine(const fs::path& list, std::string_view line) {
        if (line.find('\0') != std::string_view::npos) {
            throw Error(ErrorCode::format, {.file = list.string()},
                        "has a path with a byte of zero in it",
                        "write the path of a picture on each line");
        }
        const fs::path path = (list.parent_path() / line).lexically_normal();
        std::error_code unseen;
        if (!fs::is_regular_file(path, unseen)) {
            looksAt(path);
            throw Error(ErrorCode::format, {.file = list.string()},
                        "names " + path.string() + ", where there is no file",
                        "correct the list: its paths are relative to its own folder");
        }
        refuseUnreadable(path);
        add(path);
    }

    void looksAt(const fs::path& path) {
        if (looked_ != nullptr) {
            looked_->push_back(path);
        }
    }

    std::vector<fs::path>* looked_; ///< may be nullptr
    std::vector<Film> films_;
    Film film_;
};

} // namespace

bool isBeforeNaturally(std::string_view a, std::string_view b) {
    const std::string_view wholeA = a;
    const std::string_view wholeB = b;
    while (!a.empty() && !b.empty()) {
        if (isDigit(a.front()) && isDigit(b.front())) {
            const std::string_view x = takeDigits(a);
            const std::string_view y = takeDigits(b);
            if (x != y) {
                return x.size() != y.size() ? x.size() < y.size() : x < y;
            }
        } else if (a.front() != b.front()) {
            return a.front() < b.front();
        } else {
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.empty() != b.empty() ? a.empty() : wholeA < wholeB;
}

std::vector<Film> filmsOf(const std::vector<std::filesystem::path>& paths,
                          std::vector<std::filesystem::path>* looked) {
    FilmGathering gathering(looked);
    for (const fs::path& path : paths) {
        std::error_code unseen;
        if (fs::is_directory(path, unseen)) {
            gathering.close();
            gathering.addFolder(path, true);
        } else if (endsWith(path.filename().string(), ".txt")) {
            gathering.addList(path);
        } else {
            refuseUnreadable(path);
            gathering.add(path);
        }
    }
    std::vector<Film> films = gathering.take();
    if (films.empty()) {
        throw Error(
            ErrorCode::format, {.file = paths.empty() ? "" : paths.front().string()},
            "contains no pictures",
            "name a folder of PNG, PGM, PPM, JPEG or TIFF files, or a folder of such folders");
    }
    return films;
}

} // namespace weft
