// SPDX-License-Identifier: Apache-2.0
#include "run/session/run_begin.h"

#include "base/files/files.h"
#include "base/text/json.h"
#include "device/backend.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace weft {

namespace fs = std::filesystem;

namespace {

fs::path beginFile(const fs::path& run) { return run / "begin.json"; }

} // namespace

RunBegin beginOf(const fs::path& run) {
    constexpr std::size_t mostBytes = std::size_t{1} << 20U;
    RunBegin begin;
    std::error_code ignored; // a path that is not a file fails when it is read
    if (fs::status(beginFile(run), ignored).type() == fs::file_type::not_found) {
        return begin;
    }
    const Json kept = readJsonFile(beginFile(run), {.bytes = mostBytes, .depth = 4});
    if (kept.is_object()) {
        for (const Json& folder : kept.value("folders", Json::array())) {
            if (folder.is_string()) {
                begin.folders.emplace_back(folder.get<std::string>());
            }
        }
        for (const Json& device : kept.value("devices", Json::array())) {
            if (device.is_string()) {
                begin.devices.push_back(device.get<std::string>());
            }
        }
        const Json backend = kept.value("backend", Json());
        begin.backend = backend.is_string() ? backend.get<std::string>() : std::string();
    }
    return begin;
}

RunBegin beginFor(const SessionRequest& request) {
    RunBegin begin;
    for (const fs::path& folder : request.data) {
        begin.folders.push_back(fs::current_path() / folder);
    }
    const fs::path& before = request.resume.empty() ? request.from : request.resume;
    if (before.empty()) {
        begin.folders.insert(begin.folders.begin(), fs::current_path() / request.folder);
    } else {
        RunBegin known = beginOf(before);
        for (fs::path& folder : known.folders) {
            if (std::ranges::find(begin.folders, folder) == begin.folders.end()) {
                begin.folders.push_back(std::move(folder));
            }
        }
        begin.backend = std::move(known.backend);
        begin.devices = std::move(known.devices);
    }
    if (!request.backend.empty()) {
        begin.backend = request.backend;
    }
    if (!request.devices.empty()) {
        begin.devices = request.devices;
    }
    return begin;
}

void writeBegin(const fs::path& run, const RunBegin& begin) {
    Json folders = Json::array();
    for (const fs::path& folder : begin.folders) {
        folders.push_back(folder.string());
    }
    const Json kept{
        {"folders", std::move(folders)}, {"backend", begin.backend}, {"devices", begin.devices}};
    writeFileWhole(beginFile(run), jsonText(kept, 1) + "\n");
}

std::string whyUnpredicted(const RunBegin& begin, const std::vector<std::string>& devices) {
    const bool isOther =
        !begin.backend.empty() && std::ranges::any_of(devices, [&](const std::string& device) {
            return backendOf(device) != begin.backend;
        });
    return isOther ? fmt::format("the backend {} runs the step, but predictions exist only for the "
                                 "devices' own kernels",
                                 begin.backend)
                   : std::string();
}

} // namespace weft
