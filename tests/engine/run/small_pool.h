// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programSet of a small design on reference devices of this process, prepared and initialised.

#include "compile/program_set.h"
#include "compile/registry.h"
#include "device/communicator.h"
#include "lower/expand.h"

#include <memory>
#include <string>
#include <vector>

namespace weft {
class WorkerPool;
}

namespace weft::test {

struct SmallPool {
    /// `text`: of a design without errors. One communicator of threads serves all devices; `here`:
    /// the first so many of them are of this process, 0 all.
    SmallPool(const std::string& text, std::size_t devices, std::vector<VariantRequest> members,
              std::size_t here = 0);
    ~SmallPool();

    std::unique_ptr<const Registry> registry;
    Design design;
    ExpandedDesign expanded;
    ProgramSet programSet;
    std::unique_ptr<Communicator> communicator;
    std::unique_ptr<WorkerPool> pool; ///< goes before the communicator
};

/// A feed as the workers hold it, one part after another.
[[nodiscard]] std::vector<std::byte> feedOf(const WorkerPool& pool, std::size_t member,
                                            const std::string& name);

/// Sets the last id of that feed on every worker; all other ids are zero.
void fillIds(WorkerPool& pool, std::size_t member, const std::string& feed, std::int64_t last);

} // namespace weft::test
