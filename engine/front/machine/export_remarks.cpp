// SPDX-License-Identifier: Apache-2.0
// Lists what in an exported job may fail on its host, as far as this build can tell; it may lack
// what the job needs there.
#include "compile/host_share.h"
#include "compile/local_names.h"
#include "compile/registry.h"
#include "compile/spread.h"
#include "device/backend.h"
#include <weft/exchange.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

namespace weft {

namespace {

void remarkOnCount(std::size_t devices, std::size_t ranks, std::vector<std::string>& remarks) {
    if (ranks > devices) {
        remarks.push_back(fmt::format("The job has {} devices, but {} ranks are requested: every "
                                      "rank needs at least one device.",
                                      devices, ranks));
    } else if (devices % ranks != 0) {
        remarks.push_back(fmt::format("{} devices over {} ranks: some ranks get more than others.",
                                      devices, ranks));
    }
}

void remarkOnBackends(const std::vector<std::string>& devices, std::vector<std::string>& remarks) {
    const auto registry = makeRegistry();
    std::vector<std::string> foreign;
    std::ranges::copy_if(devices, std::back_inserter(foreign), [&](const std::string& device) {
        return registry->backends.find(backendOf(device)) == nullptr;
    });
    if (!foreign.empty()) {
        remarks.push_back(
            fmt::format("This build of Weft has no backend for {}: the job first checks every "
                        "host, and ends if the weft of a host has no such backend.",
                        fmt::join(foreign, ", ")));
    }
}

/// Adds a remark if devices have GPU numbers that the job cannot have: a batch system numbers a
/// job's GPUs 0, 1, ..., whatever numbers they have on the node.
void remarkOnNumbers(const ExportRequest& request, const std::vector<std::string>& devices,
                     std::vector<std::string>& remarks) {
    const int given = gpusOfNode(request);
    std::vector<std::int64_t> nodes;
    for (const DevicePlace& place : evenPlaces(devices.size(), request.ranks(), request.nodes)) {
        nodes.push_back(place.host);
    }
    const std::vector<std::string> local = localNames(devices, nodes);
    int most = 0;
    std::set<std::string> beyond;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        if (const int number = chipNumber(local[k], "cuda"); number >= given) {
            beyond.insert(chipOf(devices[k]));
            most = std::max(most, number + 1);
        }
    }
    if (!beyond.empty()) {
        remarks.push_back(fmt::format(
            "Slurm and Kubernetes number the {} of a node for this job from 0: {} would not be "
            "found. Name the devices from cuda:0 on, or request {} GPUs per node.",
            given == 1 ? "GPU" : fmt::format("{} GPUs", given), fmt::join(beyond, ", "), most));
    }
}

} // namespace

std::vector<std::string> exportRemarks(const ExportRequest& request) {
    std::vector<std::string> remarks;
    const std::vector<std::string> devices = devicesOf(request.design, request.devices);
    remarkOnCount(devices.size(), static_cast<std::size_t>(request.ranks()), remarks);
    remarkOnBackends(devices, remarks);
    ExportRequest used = request;
    used.gpusPerNode = 0;
    if (gpusOfNode(request) < gpusOfNode(used)) {
        remarks.push_back(fmt::format("The devices of a node are on {} GPUs, but {} are requested.",
                                      gpusOfNode(used), request.gpusPerNode));
    } else {
        remarkOnNumbers(request, devices, remarks);
    }
    for (const auto& [name, value] : request.design.data.attributes.entries()) {
        const auto* text = std::get_if<std::string>(&value);
        std::error_code ignored;
        if (text != nullptr && !text->empty() && !request.folder.empty() &&
            std::filesystem::exists(request.folder / *text, ignored)) {
            remarks.push_back("The data file " + *text +
                              " is not copied: if the job runs on another machine, set WEFT_DATA "
                              "to its folder there.");
        }
    }
    return remarks;
}

} // namespace weft
