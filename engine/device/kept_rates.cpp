// SPDX-License-Identifier: Apache-2.0
#include "device/kept_rates.h"

#include "base/environment.h"
#include "base/files.h"
#include "base/json.h"
#include "device/sheet_json.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace weft {

namespace {

constexpr std::size_t mostBytes = std::size_t{1} << 20;

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

/// The entry's rates, in proportion where it was measured on another number of cores.
DeviceSheet withRatesOf(const Json& entry, DeviceSheet sheet) {
    readRates(entry, sheet);
    sheet.scaleRates(static_cast<double>(sheet.cores) / entry.at("cores").get<double>());
    sheet.isMeasured = true;
    return sheet;
}

LinkSheet linkOf(const Json& entry, const std::string& name) {
    LinkSheet link{.name = name, .isMeasured = true};
    readRates(entry, link);
    return link;
}

/// What the file holds under a key; nothing where it cannot be read: it is a cache.
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

void writeEntries(const std::filesystem::path& path, Json rates, Json links) {
    makeFolder(path.parent_path());
    writeFileWhole(
        path, jsonText(Json{{"rates", std::move(rates)}, {"links", std::move(links)}}, 1) + "\n");
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
    try {
        const Json entries = readEntries(path, "rates");
        for (const bool isExact : {true, false}) {
            for (const Json& entry : entries) {
                if (isExact ? isOf(entry, sheet) : isOfModel(entry, sheet)) {
                    return withRatesOf(entry, sheet);
                }
            }
        }
    } catch (const Json::exception&) {
        return sheet; // an entry of another make
    }
    return sheet;
}

void keepRates(const DeviceSheet& sheet, const std::filesystem::path& path) {
    if (path.empty()) {
        return;
    }
    Json kept = Json::array();
    for (Json& entry : readEntries(path, "rates")) {
        if (!isOf(entry, sheet)) {
            kept.push_back(std::move(entry));
        }
    }
    kept.push_back(asJson(sheet));
    writeEntries(path, std::move(kept), readEntries(path, "links"));
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
                continue; // an entry of another make
            }
        }
    }
    return machine;
}

void keepLink(const LinkSheet& link, const std::string& host, const std::filesystem::path& path) {
    if (path.empty()) {
        return;
    }
    Json kept = Json::array();
    for (Json& entry : readEntries(path, "links")) {
        if (!isLinkOf(entry, link.name, host)) {
            kept.push_back(std::move(entry));
        }
    }
    kept.push_back(asJson(link));
    kept.back()["host"] = host;
    writeEntries(path, readEntries(path, "rates"), std::move(kept));
}

} // namespace weft
