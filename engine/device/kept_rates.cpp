// SPDX-License-Identifier: Apache-2.0
#include "device/kept_rates.h"

#include "base/files/files.h"
#include "base/files/lock_file.h"
#include "base/process/environment.h"
#include "base/text/json.h"
#include "device/sheet_json.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <system_error>

namespace weft {

namespace {

/// A larger file was not written by Weft.
constexpr std::size_t mostBytes = std::size_t{256} << 20;

bool isOfModel(const Json& entry, const DeviceSheet& sheet) {
    const auto is = [&entry](const char* key, const std::string& text) {
        const auto found = entry.find(key);
        return found != entry.end() && *found == text;
    };
    return entry.is_object() && is("backend", sheet.backend) && is("model", sheet.model) &&
           entry.contains("cores") && entry["cores"].is_number_integer() && entry["cores"] > 0;
}

bool isOf(const Json& entry, const DeviceSheet& sheet) {
    return isOfModel(entry, sheet) && entry["cores"] == sheet.cores;
}

/// Returns the sheet with the entry's rates, scaled if they were measured on another number of
/// cores.
DeviceSheet withRatesOf(const Json& entry, DeviceSheet sheet) {
    readRates(entry, sheet);
    sheet.scaleRates(static_cast<double>(sheet.cores) / entry.at("cores").get<double>());
    sheet.isMeasured = true;
    return sheet;
}

DeviceSheet withRatesIn(const Json& entries, const DeviceSheet& sheet) {
    try {
        for (const bool isExact : {true, false}) {
            for (const Json& entry : entries) {
                if (isExact ? isOf(entry, sheet) : isOfModel(entry, sheet)) {
                    return withRatesOf(entry, sheet);
                }
            }
        }
    } catch (const Json::exception&) {
        return sheet; // an entry in the format of another version
    }
    return sheet;
}

/// Returns no plans for an entry in the format of another version.
MeasuredPlans plansOf(const Json& entry) {
    try {
        return plansFrom(entry);
    } catch (const Json::exception&) {
        return {};
    }
}

/// Returns the plans of this library version, else the last of the same model, else the last of
/// another model.
MeasuredPlans plansFor(const DeviceSheet& sheet, const Json& entries) {
    MeasuredPlans nearest;
    int least = 0;
    for (const Json& entry : entries) {
        if (!entry.is_object() || entry.value("backend", Json()) != sheet.backend) {
            continue;
        }
        MeasuredPlans plans = plansOf(entry);
        const int nearness = plans.model != sheet.model       ? 1
                             : plans.library != sheet.library ? 2
                                                              : 3;
        if (nearness >= least && !plans.best.empty()) {
            nearest = std::move(plans);
            least = nearness;
        }
    }
    return nearest;
}

LinkSheet linkOf(const Json& entry, const std::string& name) {
    LinkSheet link{.name = name, .isMeasured = true};
    readRates(entry, link);
    return link;
}

/// Returns what the file holds under a key; nothing if it cannot be read, because it is a cache.
Json readEntries(const std::filesystem::path& path, const char* key) {
    try {
        Json file = parseJson(readFile(path, mostBytes), path.string());
        if (file.is_object() && file.value(key, Json()).is_array()) {
            return file[key];
        }
    } catch (const Error&) {
        return Json::array();
    } catch (const Json::exception&) {
        return Json::array();
    }
    return Json::array();
}

/// Locks the file while it is read, changed and written, so that concurrent writers lose nothing.
/// Throws Error{file} if the file is too large to be read, because its content would be lost.
FileHandle lockToChange(const std::filesystem::path& path) {
    constexpr std::chrono::seconds limit{60};
    makeFolder(path.parent_path());
    FileHandle lock =
        waitForLock(path.string() + ".lock", limit,
                    "another process to release " + path.string() + ".lock to keep rates");
    std::error_code ignored;
    const std::uintmax_t bytes = std::filesystem::file_size(path, ignored);
    if (!ignored && bytes > mostBytes) {
        throw Error(ErrorCode::file, Where{.file = path.string()},
                    "is too large for a file of measured rates",
                    "remove the file, and run weft calibrate again");
    }
    return lock;
}

/// Replaces the entries under that key; everything else is kept.
void writeEntries(const std::filesystem::path& path, const char* key, Json entries) {
    Json file = Json::object();
    for (const char* const kept : {"rates", "links", "plans"}) {
        file[kept] = readEntries(path, kept);
    }
    file[key] = std::move(entries);
    writeFileWhole(path, jsonText(file, 1) + "\n");
}

bool isLinkOf(const Json& entry, const std::string& name, const std::string& host) {
    return entry.is_object() && entry.value("name", Json()) == name &&
           entry.value("host", Json()) == host;
}

} // namespace

std::filesystem::path keptRatesPath() {
    if (const std::string cache = fromEnvironment("XDG_CACHE_HOME"); !cache.empty()) {
        return std::filesystem::path(cache) / "weft" / "rates.json";
    }
    const std::string home = fromEnvironment("HOME");
    return home.empty() ? std::filesystem::path()
                        : std::filesystem::path(home) / ".cache" / "weft" / "rates.json";
}

DeviceSheet withKeptRates(DeviceSheet sheet, const std::filesystem::path& path) {
    if (path.empty()) {
        return sheet;
    }
    sheet = withRatesIn(readEntries(path, "rates"), sheet);
    sheet.plans = plansFor(sheet, readEntries(path, "plans"));
    return sheet;
}

void keepRates(const DeviceSheet& sheet, const std::filesystem::path& path) {
    if (path.empty()) {
        return;
    }
    const FileHandle lock = lockToChange(path);
    Json kept = Json::array();
    for (Json& entry : readEntries(path, "rates")) {
        if (!isOf(entry, sheet)) {
            kept.push_back(std::move(entry));
        }
    }
    kept.push_back(asJson(sheet));
    kept.back().erase("plans");
    writeEntries(path, "rates", std::move(kept));
}

void keepPlans(const DeviceSheet& sheet, const std::filesystem::path& path) {
    if (path.empty()) {
        return;
    }
    const FileHandle lock = lockToChange(path);
    Json kept = Json::array();
    MeasuredPlans plans = sheet.plans;
    for (Json& entry : readEntries(path, "plans")) {
        const auto is = [&entry](const char* key, const std::string& text) {
            return entry.is_object() && entry.value(key, Json()) == text;
        };
        if (!is("backend", sheet.backend) || !is("model", plans.model) ||
            !is("library", plans.library)) {
            kept.push_back(std::move(entry));
            continue;
        }
        plans.best.merge(plansOf(entry).best);
    }
    kept.push_back(asJson(plans));
    kept.back()["backend"] = sheet.backend;
    writeEntries(path, "plans", std::move(kept));
}

MachineSheet withKeptLinks(MachineSheet machine, const std::filesystem::path& path) {
    if (path.empty()) {
        return machine;
    }
    const Json entries = readEntries(path, "links");
    for (LinkSheet* link : {&machine.withinProcess, &machine.withinHost, &machine.betweenHosts}) {
        for (const Json& entry : entries) {
            try {
                if (isLinkOf(entry, link->name, machine.host)) {
                    const LinkSheet found = linkOf(entry, link->name);
                    *link = found.bytesPerSecond > 0 ? found : *link;
                }
            } catch (const Json::exception&) {
                continue; // an entry in the format of another version
            }
        }
    }
    return machine;
}

void keepLink(const LinkSheet& link, const std::string& host, const std::filesystem::path& path) {
    if (path.empty()) {
        return;
    }
    const FileHandle lock = lockToChange(path);
    Json kept = Json::array();
    for (Json& entry : readEntries(path, "links")) {
        if (!isLinkOf(entry, link.name, host)) {
            kept.push_back(std::move(entry));
        }
    }
    kept.push_back(asJson(link));
    kept.back()["host"] = host;
    writeEntries(path, "links", std::move(kept));
}

} // namespace weft
