// SPDX-License-Identifier: Apache-2.0
#include "front/features.h"

#include "base/environment.h"
#include "front/built_with.h"

#include <filesystem>
#include <string>

namespace weft {

namespace {

Feature found(std::string name, std::string detail) {
    return {.name = std::move(name), .isFound = true, .detail = std::move(detail), .remedy = {}};
}

Feature absent(std::string name, std::string detail, std::string remedy) {
    return {std::move(name), false, std::move(detail), std::move(remedy)};
}

Feature mpi(const std::string& version) {
    if (version.empty()) {
        return absent("MPI", "this build has none",
                      "apt-get install libopenmpi-dev openmpi-bin, then build again");
    }
    const std::string program = programInPath("mpirun").string();
    if (program.empty()) {
        return absent("MPI", "built with MPI " + version + ", but there is no mpirun",
                      "apt-get install openmpi-bin openssh-client");
    }
    return found("MPI", "MPI " + version + ", " + program);
}

Feature cuda(const std::string& version, const BackendList& backends) {
    if (backends.find("cuda") == nullptr) {
        return absent(
            "CUDA", "this build has no backend for it",
            "packaging/install cuda, then build again; weft devices --sheets lists what can "
            "be planned for all the same");
    }
    std::error_code error;
    if (!std::filesystem::exists("/proc/driver/nvidia/version", error)) {
        return absent("CUDA", "built with toolkit " + version + ", but no driver is loaded",
                      "install NVIDIA's driver, then restart");
    }
    return found("CUDA",
                 "toolkit " + version + "; kernels compiled and emulated, never run on a chip");
}

Feature oneDnn(const std::string& version) {
    return version.empty() ? absent("oneDNN", "this build has none",
                                    "apt-get install libdnnl-dev, then build again")
                           : found("oneDNN", version);
}

} // namespace

std::vector<Feature> featuresOf(const BackendList& backends) {
    const BuiltWith with = builtWith();
    return {mpi(with.mpi), oneDnn(with.oneDnn), cuda(with.cuda, backends)};
}

} // namespace weft
