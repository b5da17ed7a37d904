// SPDX-License-Identifier: Apache-2.0
#include "base/process/run_time_library.h"

#include "base/process/environment.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace weft {

void* openLibrary(const std::string& file) {
    const std::string cache = fromEnvironment("XDG_CACHE_HOME");
    // The folder that `packaging/install cuda` fills.
    const std::string own =
        (cache.empty() ? fromEnvironment("HOME") + "/.cache" : cache) + "/weft/cuda";
    void* found = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    for (const std::string& folder :
         {fromEnvironment("CUDA_HOME"), std::string("/usr/local/cuda"), own}) {
        for (const char* const part : {"/lib64/", "/lib/"}) {
            if (found == nullptr && !folder.empty()) {
                const std::string path = fmt::format("{}{}{}", folder, part, file);
                found = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
            }
        }
    }
    return found;
}

} // namespace weft
