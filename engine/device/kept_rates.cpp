// SPDX-License-Identifier: Apache-2.0
#include "device/kept_rates.h"

#include "base/files.h"
#include "base/json.h"
#include <weft/error.h>

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace weft {

namespace {

constexpr std::size_t mostBytes = std::size_t{1} << 20;

bool isOf(const Json& entry, const DeviceSheet& sheet) {
    return entry.value("backend", "") == sheet.backend && entry.value("model", "") == sheet.model &&
           entry.value("cores", std::int64_t{0}) == sheet.cores;
}

/// The entries of the file; none where it cannot be read: it is a cache.
Json readEntries(const std::filesystem::path& path) {
    try {
        Json file = parseJson(readFile(path, mostBytes), path.string());
        if (file.is_object() && file.value("rates", Json()).is_array()) {
            return file["rates"];
        }
    } catch (const Error&) {
        return Json::array();
    } catch (const Json::exception&) {
        return Json::array();
    }
    return Json::array();
}

} // namespace

std::filesystem::path keptRatesPath() {
    const char* const cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache != '\0') {
        return std::filesystem::path(cache) / "weft" / "rates.json";
    }
    const char* const home = std::getenv("HOME");
    return home != nullptr && *home != '\0'
               ? std::filesystem::path(home) / ".cache" / "weft" / "rates.json"
               : std::filesystem::path();
}

DeviceSheet withKeptRates(DeviceSheet sheet, const std::filesystem::path& path) {
    if (path.empty()) {
        return sheet;
    }
    try {
        for (const Json& entry : readEntries(path)) {
            if (entry.is_object() && isOf(entry, sheet)) {
                DeviceSheet known = sheet;
                known.flopsPerSecond = entry.at("flops_per_second").get<double>();
                known.bytesPerSecond = entry.at("bytes_per_second").get<double>();
                known.overhead = {entry.at("overhead_ns").get<std::int64_t>()};
                known.efficiency = entry.at("efficiency").get<std::map<std::string, double>>();
                return known;
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
    for (Json& entry : readEntries(path)) {
        if (entry.is_object() && !isOf(entry, sheet)) {
            kept.push_back(std::move(entry));
        }
    }
    kept.push_back({{"backend", sheet.backend},
                    {"model", sheet.model},
                    {"cores", sheet.cores},
                    {"flops_per_second", sheet.flopsPerSecond},
                    {"bytes_per_second", sheet.bytesPerSecond},
                    {"overhead_ns", sheet.overhead.count},
                    {"efficiency", sheet.efficiency}});
    makeFolder(path.parent_path());
    writeFileWhole(path, jsonText(Json{{"rates", std::move(kept)}}, 1) + "\n");
}

} // namespace weft
