// SPDX-License-Identifier: Apache-2.0
#include "compile/local_names.h"

#include "base/hash.h"
#include "device/backend.h"

#include <algorithm>
#include <map>
#include <utility>

namespace weft {

namespace {

int numberOf(const std::string& device) { return chipNumber(device, backendOf(device)); }

} // namespace

std::vector<std::string> localNames(const std::vector<std::string>& devices,
                                    const std::vector<std::int64_t>& counted) {
    std::map<std::string, int> lowest;
    std::map<std::pair<std::string, std::int64_t>, int> own;
    const auto keep = [](auto& lowestOf, const auto& key, int number) {
        const auto known = lowestOf.try_emplace(key, number).first;
        known->second = std::min(known->second, number);
    };
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (const int number = numberOf(devices[k]); number >= 0) {
            const std::string backend = backendOf(devices[k]);
            keep(lowest, backend, number);
            keep(own, std::pair(backend, counted[k]), number);
        }
    }
    std::vector<std::string> names = devices;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (const int number = numberOf(devices[k]); number >= 0) {
            const std::string backend = backendOf(devices[k]);
            const int local = number - own[{backend, counted[k]}] + lowest[backend];
            names[k] = backend + ":" + std::to_string(local) +
                       devices[k].substr(chipOf(devices[k]).size());
        }
    }
    return names;
}

std::int64_t visibleChipsHash(const BackendList& backends, const std::string& host) {
    std::string seen;
    for (const Backend& backend : backends.all()) {
        seen += backend.sees ? backend.sees() : std::string();
    }
    return static_cast<std::int64_t>(hash64(seen.empty() ? host : seen));
}

} // namespace weft
