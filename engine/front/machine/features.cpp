// SPDX-License-Identifier: Apache-2.0
#include "front/machine/features.h"

#include "base/process/environment.h"
#include "base/process/this_program.h"
#include "compile/registry.h"
#include "device/proved_chips.h"
#include "front/machine/built_with.h"
#include <weft/devices.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace weft {

namespace {

Feature found(std::string name, std::string detail) {
    return {.name = std::move(name), .isFound = true, .detail = std::move(detail), .remedy = {}};
}

Feature absent(std::string name, std::string detail, std::string remedy) {
    return {std::move(name), false, std::move(detail), std::move(remedy)};
}

/// Returns the version of NVIDIA's driver; empty if none is loaded.
std::string driverVersion() {
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    return driverVersionIn(line);
}

Feature mpi(const std::string& version) {
    if (isCarried()) {
        return absent("MPI", "this engine was copied to this host without MPI",
                      "for several ranks, build the engine on this host: weft host install NAME "
                      "--from-source");
    }
    if (version.empty()) {
        return absent("MPI", "not in this build",
                      "apt-get install libopenmpi-dev openmpi-bin, then build again");
    }
    const std::string program = programInPath("mpirun").string();
    if (program.empty()) {
        return absent("MPI", "built with MPI " + version + ", but mpirun was not found",
                      "apt-get install openmpi-bin openssh-client");
    }
    return found("MPI", "MPI " + version + ", " + program);
}

Feature cuda(const std::string& version, const BackendList& backends) {
    if (backends.find("cuda") == nullptr) {
        return absent("CUDA", "this build has no CUDA backend",
                      "packaging/install cuda, then build again; weft devices --sheets lists the "
                      "GPUs that can be planned for without it");
    }
    if (driverVersion().empty()) {
        return absent("CUDA", "built with toolkit " + version + ", but no driver is loaded",
                      "install NVIDIA's driver, then restart");
    }
    return found("CUDA", fmt::format("toolkit {}, driver {}; {}", version, driverVersion(),
                                     proofOf("cuda")));
}

/// Returns whether NCCL can be used, which needs CUDA devices.
Feature nccl(const CommunicatorList& communicators, const Feature& cuda) {
    const DeviceCommunicator* communicator = communicators.find("nccl");
    if (communicator == nullptr) {
        return absent("NCCL", "not in this build",
                      "libnccl-dev or packaging/install cuda, then build again");
    }
    if (const std::string lacks = communicator->lacks(); !lacks.empty()) {
        return absent("NCCL", lacks, "apt-get install libnccl2, or packaging/install cuda");
    }
    return cuda.isFound
               ? found("NCCL", communicator->version() +
                                   "; tested with a simulated library, not on several GPUs")
               : absent("NCCL", communicator->version() + ", but CUDA is missing", cuda.remedy);
}

Feature oneDnn(const std::string& version) {
    return version.empty() ? absent("oneDNN", "not in this build",
                                    "apt-get install libdnnl-dev, then build again")
                           : found("oneDNN", version);
}

/// Returns why the device ignores its measured plans, or an empty string if it uses them or has
/// none.
std::string whyPlansAreLeft(const DeviceSheet& sheet) {
    const MeasuredPlans& plans = sheet.plans;
    if (plans.best.empty() || hasMatchingPlans(sheet)) {
        return {};
    }
    return fmt::format("plans measured on {} with {} are not used: this machine has {} with {}; "
                       "weft calibrate --plans measures plans for it",
                       plans.model, plans.library, sheet.model,
                       sheet.library.empty() ? "no library" : sheet.library);
}

} // namespace

std::string driverVersionIn(const std::string& line) {
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("0123456789.") == std::string::npos &&
            word.find('.') != std::string::npos) {
            return word;
        }
    }
    return line.empty() ? std::string() : "of an unknown version";
}

std::string_view proofOf(std::string_view backend) {
    static const std::string ofChips =
        "verified on " + provedChipsOf("cuda") + "; not on other GPUs, nor on several GPUs";
    return backend == "cuda" ? std::string_view(ofChips) : std::string_view();
}

std::vector<std::string> remarksOn(const std::vector<DeviceSheet>& devices) {
    const auto registry = makeRegistry();
    std::vector<std::pair<std::string, std::string>> names; // text -> devices
    for (const DeviceSheet& sheet : devices) {
        const Backend* backend = registry->backends.find(sheet.backend);
        for (const std::string& said :
             {backend != nullptr && backend->remark ? backend->remark(sheet) : std::string(),
              whyPlansAreLeft(sheet), sheet.isPresent ? proofOn(sheet) : std::string()}) {
            auto known =
                std::ranges::find(names, said, &std::pair<std::string, std::string>::first);
            if (!said.empty() && known == names.end()) {
                names.emplace_back(said, sheet.name);
            } else if (!said.empty()) {
                known->second += ", " + sheet.name;
            }
        }
    }
    std::vector<std::string> lines;
    lines.reserve(names.size());
    for (const auto& [said, whose] : names) {
        lines.push_back(fmt::format("{}: {}", whose, said));
    }
    return lines;
}

std::vector<Feature> featuresOf(const BackendList& backends,
                                const CommunicatorList& communicators) {
    const BuiltWith with = builtWith();
    const Feature chips = cuda(with.cuda, backends);
    std::vector<Feature> features{mpi(with.mpi), oneDnn(with.oneDnn), chips,
                                  nccl(communicators, chips)};
    for (const Backend& backend : backends.all()) {
        for (Feature& part : backend.parts ? backend.parts() : std::vector<Feature>{}) {
            features.push_back(
                chips.isFound || !part.isFound
                    ? std::move(part)
                    : absent(part.name, part.detail + ", but CUDA is missing", chips.remedy));
        }
    }
    return features;
}

} // namespace weft
