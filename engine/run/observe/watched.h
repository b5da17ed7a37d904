// SPDX-License-Identifier: Apache-2.0
#pragma once
// While it exists, an observer is attached to each worker's program of one variant. Used on the
// trainer's thread, while nothing else runs.

#include "run/execute/worker_pool.h"

#include <functional>

namespace weft {

class ObserverScope {
public:
    ObserverScope(WorkerPool& pool, std::size_t member,
                  const std::function<StepObserver*(std::size_t worker)>& observerOf)
        : pool_(pool), member_(member) {
        for (std::size_t w = 0; w < pool_.size(); ++w) {
            pool_.observe(w, member_, observerOf(w));
        }
    }
    ~ObserverScope() {
        for (std::size_t w = 0; w < pool_.size(); ++w) {
            pool_.observe(w, member_, nullptr);
        }
    }
    ObserverScope(const ObserverScope&) = delete;
    ObserverScope& operator=(const ObserverScope&) = delete;

private:
    WorkerPool& pool_;
    std::size_t member_;
};

} // namespace weft
