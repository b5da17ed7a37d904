// SPDX-License-Identifier: Apache-2.0
#include "run/execute/step_runner.h"

#include "run/execute/feeder.h"
#include <weft/error.h>

#include <cmath>

namespace weft {

bool StepReport::isFinite() const {
    return std::isfinite(loss) && std::isfinite(gradientNorm.value_or(0));
}

StepRunner::StepRunner(const ProgramSet& programSet, WorkerPool& pool)
    : programSet_(programSet), pool_(pool) {
    for (const Variant& member : programSet.members) {
        resultIndices_.push_back(resultIndicesOf(*member.plan->graph));
    }
}

StepRunner::ResultIndices StepRunner::resultIndicesOf(const Graph& graph) {
    ResultIndices numbers;
    for (std::size_t k = 0; k < graph.results.size(); ++k) {
        switch (graph.results[k].kind) {
        case ResultKind::norm: numbers.norm = static_cast<int>(k); break;
        case ResultKind::total: numbers.loss = static_cast<int>(k); break;
        case ResultKind::loss:
        case ResultKind::energy:
        case ResultKind::metric: numbers.metrics.push_back(k); break;
        case ResultKind::output:
        case ResultKind::series: break;
        }
    }
    return numbers;
}

std::map<std::int64_t, std::vector<std::size_t>> StepRunner::variantsByRows(Mode mode) const {
    std::map<std::int64_t, std::vector<std::size_t>> members;
    for (std::size_t k = 0; k < programSet_.members.size(); ++k) {
        const VariantRequest& request = programSet_.members[k].request;
        if (request.mode == mode && !request.isObserved) {
            members[request.batch].push_back(k);
        }
    }
    return members;
}

void StepRunner::setArguments(std::size_t member, std::int64_t step, std::int64_t update,
                              double rate) {
    const Graph& graph = *programSet_.members[member].plan->graph;
    for (std::size_t w = 0; w < pool_.size(); ++w) {
        for (std::size_t f = 0; f < graph.feeds.size(); ++f) {
            const ProgramPort& port = pool_.program(w, member).program().feeds[f];
            if (graph.feeds[f].kind != FeedKind::argument || !port.isHeld) {
                continue;
            }
            const std::string& name = graph.feeds[f].name;
            const double value = name == "learning_rate" ? rate
                                 : name == "step"        ? static_cast<double>(step)
                                 : name == "update"      ? static_cast<double>(update)
                                                         : 1.0;
            double bytes = 0;
            convertElements(DType::f64, reinterpret_cast<const std::byte*>(&value), port.part.dtype,
                            reinterpret_cast<std::byte*>(&bytes), 1);
            pool_.copyIn(w, member, port.buffer, &bytes);
        }
    }
}

std::vector<double> StepRunner::numbersIn(std::size_t member,
                                          const std::vector<std::size_t>& results) const {
    std::vector<double> raw(results.size(), 0);
    std::vector<std::pair<const Buffer*, void*>> wanted;
    for (std::size_t k = 0; k < results.size(); ++k) {
        const ProgramPort& port = pool_.program(0, member).program().results[results[k]];
        ensure(port.isHeld && port.part.elements() == 1, "this worker has the number that is read");
        wanted.emplace_back(&port.buffer, &raw[k]);
    }
    pool_.copyOut(0, member, wanted);
    std::vector<double> values(results.size(), 0);
    for (std::size_t k = 0; k < results.size(); ++k) {
        convertElements(pool_.program(0, member).program().results[results[k]].part.dtype,
                        reinterpret_cast<const std::byte*>(&raw[k]), DType::f64,
                        reinterpret_cast<std::byte*>(&values[k]), 1);
    }
    return values;
}

void StepRunner::readResults(std::size_t member, StepReport& report) const {
    const ResultIndices& numbers = resultIndices_[member];
    const Graph& graph = *programSet_.members[member].plan->graph;
    std::vector<std::size_t> asked = numbers.metrics;
    for (const int one : {numbers.loss, numbers.norm}) {
        one < 0 ? void() : asked.push_back(static_cast<std::size_t>(one));
    }
    std::vector<double> found = numbersIn(member, asked);
    report.gradientNorm.reset();
    if (numbers.norm >= 0) {
        report.gradientNorm = std::sqrt(found.back());
        found.pop_back();
    }
    report.loss = numbers.loss < 0 ? 0 : found.back();
    report.metrics.resize(numbers.metrics.size());
    for (std::size_t k = 0; k < numbers.metrics.size(); ++k) {
        report.metrics[k] = {graph.results[numbers.metrics[k]].name, found[k]};
    }
}

} // namespace weft
