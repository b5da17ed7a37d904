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
    std::error_code error;
    const bool hasDriver = std::filesystem::exists("/proc/driver/nvidia/version", error);
    if (!hasDriver) {
        return absent("CUDA", "no NVIDIA driver is loaded",
                      "apt-get install nvidia-driver (Debian's non-free), then restart");
    }
    if (version.empty()) {
        return absent("CUDA", "there is a driver, but this build has no toolkit",
                      "apt-get install nvidia-cuda-toolkit nvidia-cudnn, then build again");
    }
    if (backends.find("cuda") == nullptr) {
        return absent("CUDA",
                      "there is a driver and toolkit " + version +
                          ", but no backend for it in this build",
                      "declare the device with a data sheet to plan for it");
    }
    return found("CUDA", "toolkit " + version);
}

Feature library(const std::string& name, const std::string& version, const std::string& package) {
    return version.empty() ? absent(name, "this build has none",
                                    "apt-get install " + package + ", then build again")
                           : found(name, version);
}

} // namespace

std::vector<Feature> featuresOf(const BackendList& backends) {
    const BuiltWith with = builtWith();
    return {mpi(with.mpi), cuda(with.cuda, backends),
            library("NCCL", with.nccl, "libnccl-dev (of NVIDIA's repository)"),
            library("oneDNN", with.oneDnn, "libdnnl-dev")};
}

} // namespace weft
