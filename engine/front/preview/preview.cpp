// SPDX-License-Identifier: Apache-2.0
// A preview caches the last design and its answer: another request for a design that computes the
// same (a layer was only moved) is answered at once, unless there was a problem with files. For any
// other design all stages run again, with cached results for ops, shapes, devices and kernels.
#include "compile/device_sheets.h"
#include "front/preview/collective_rows.h"
#include "front/preview/compile_step.h"
#include "front/preview/find_overflow.h"
#include "front/preview/period_mean.h"
#include "front/preview/placed_part.h"
#include "front/preview/run_members.h"
#include "front/preview/step_part.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/preview.h>

#include <algorithm>
#include <iterator>

namespace weft {

struct PreviewCache::State {
    std::unique_ptr<const Registry> registry = makeRegistry();
    Design design;
    PreviewRequest request;
    CachedTables tables;
    PlacedPartCache placing;
    KernelChoiceCache choices;
    /// Complete preview of the last request; nullptr if there is none.
    std::shared_ptr<const Preview> last;
};

PreviewCache::PreviewCache() : state_(std::make_unique<State>()) {}
PreviewCache::~PreviewCache() = default;
PreviewCache::PreviewCache(PreviewCache&&) noexcept = default;
PreviewCache& PreviewCache::operator=(PreviewCache&&) noexcept = default;

namespace {

bool isSame(const PreviewRequest& a, const PreviewRequest& b) {
    return a.devices == b.devices && a.machine == b.machine && a.ranks == b.ranks &&
           a.hosts == b.hosts && a.wantsLegal == b.wantsLegal && a.until == b.until &&
           a.data == b.data;
}

/// True for problems with files, which may be fixed while the design stays the same.
bool isAboutFiles(const Diagnostic& problem) {
    return problem.code == "W045" || problem.code == "E046";
}

void addMissing(std::vector<Diagnostic>& problems, const std::vector<Diagnostic>& more) {
    std::ranges::copy_if(more, std::back_inserter(problems), [&](const Diagnostic& problem) {
        return std::ranges::find(problems, problem) == problems.end();
    });
}

/// Computes the parts of a preview for one design.
class Previewing {
public:
    Previewing(const Design& design, PreviewCache::State& state, const PreviewRequest& request)
        : design_(design), state_(state), request_(request) {}

    /// False if it was cancelled.
    bool run() { return addPlaced() && addStep() && addRun(); }
    [[nodiscard]] std::shared_ptr<const Preview> made() const { return made_; }

private:
    void deliver(Preview preview) {
        made_ = std::make_shared<const Preview>(std::move(preview));
        request_.deliver ? request_.deliver(made_) : void();
    }
    [[nodiscard]] bool isWanted() const { return !request_.isWanted || request_.isWanted(); }
    [[nodiscard]] bool goesTo(PreviewPart part) const { return request_.until >= part; }

    bool addPlaced() {
        study_ = study({.design = &design_,
                        .registry = state_.registry.get(),
                        .devices = request_.devices,
                        .machine = request_.machine,
                        .wantsPlan = goesTo(PreviewPart::placed),
                        .wantsLegal = request_.wantsLegal,
                        .isWanted = request_.isWanted,
                        .data = request_.data ? &*request_.data : nullptr,
                        .cache = &state_.tables});
        if (!isWanted()) {
            return false;
        }
        devices_ = studyDevices(study_, compiling());
        checkCommunicators();
        if (goesTo(PreviewPart::placed)) {
            addMissing(study_.problems, checkPrecision(design_.training, devices_));
        }
        parts_.clear();
        for (std::size_t k = 0; k < std::max<std::size_t>(1, study_.steps.size()); ++k) {
            parts_.push_back(placedPart(study_, k, state_.placing));
            study_.plan == nullptr ? void()
                                   : nameCommunicators(parts_.back(), *study_.steps[k].plan);
        }
        Preview& first = parts_.front(); // the first kind of step, which the preview describes
        for (std::size_t d = 0; d < first.devices.size(); ++d) {
            const DeviceSheet& sheet = devices_.sheets[d];
            first.devices[d].model = sheet.model;
            first.devices[d].available = sheet.memory;
            first.devices[d].isPresent = sheet.isPresent;
        }
        std::ranges::move(checkShares(devices_.shares, coresOf(request_.machine.devices)),
                          std::back_inserter(first.problems));
        std::ranges::move(
            checkChips(design_, {study_.devices, request_.ranks, request_.hosts}, request_.machine),
            std::back_inserter(first.problems));
        deliver(mean());
        return true;
    }

    void checkCommunicators() {
        for (const PlannedStep& step : study_.steps) {
            addMissing(study_.problems,
                       weft::checkCommunicators(devices_.communicators, devices_.links.places,
                                                *step.plan));
        }
    }

    void nameCommunicators(Preview& part, const Plan& plan) const {
        const std::vector<CollectiveRow> rows = collectiveRows(plan);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            ChosenCommunicator communicator = chooseCommunicator(
                devices_.communicators, devices_.links.places, *rows[row].plan, rows[row].node);
            part.collectives[row].communicator = std::move(communicator.name);
            part.collectives[row].whyHosts = std::move(communicator.why);
        }
    }

    [[nodiscard]] CompileRequest compiling() {
        return {.design = study_.withDefaults ? &*study_.withDefaults : &design_,
                .registry = state_.registry.get(),
                .machine = request_.machine,
                .ranks = request_.ranks,
                .hosts = request_.hosts,
                .choices = &state_.choices,
                .isWanted = request_.isWanted};
    }

    /// Returns the mean over the parts, one for each kind of step.
    [[nodiscard]] Preview mean() const {
        std::vector<PeriodPart> all;
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            all.push_back({&parts_[k]});
            if (k < study_.steps.size()) {
                all.back().name = study_.steps[k].name;
                all.back().count = study_.steps[k].count;
            }
        }
        return meanOver(all);
    }

    bool addStep() {
        if (!goesTo(PreviewPart::step) || study_.plan == nullptr) {
            return true;
        }
        steps_ = compileSteps(study_, devices_, compiling());
        if (!steps_ || !isWanted()) {
            return false;
        }
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            weft::addStep(parts_[k], study_.steps[k].plan, (*steps_)[k]);
        }
        deliver(mean());
        return true;
    }

    bool addRun() {
        if (!goesTo(PreviewPart::run) || study_.plan == nullptr || !made_->isComplete) {
            return true;
        }
        const RunVariants of = runVariants(design_, request_.data, state_.registry->sources);
        std::vector<VariantRequest> members = of.variants;
        addObservedSteps(members);
        const auto programSet = compileProgramSet(study_, steps_->front(), compiling(), members);
        if (!programSet) {
            return false;
        }
        Preview preview = *made_;
        if (hasErrors(programSet->problems)) {
            addMissing(preview.problems, programSet->problems);
            deliver(std::move(preview));
            return true;
        }
        preview.run = {.members = programSet->variants, .isDataKnown = of.isDataKnown};
        weft::addRun(preview, steps_->front(), *programSet);
        if (!isTrial_) {
            findOverflow(preview,
                         {.design = &design_,
                          .kinds = &state_.registry->kinds,
                          .shares = &devices_.shares,
                          .previewOf = [this](const Design& other) { return tried(other); }});
            // If the trials were cancelled, the warning would lack remedies.
            if (!isWanted()) {
                return false;
            }
        }
        deliver(std::move(preview));
        return true;
    }

    [[nodiscard]] Preview tried(const Design& other) {
        PreviewRequest request = request_;
        request.wantsLegal = false;
        request.deliver = {};
        Previewing trial(other, state_, request);
        trial.isTrial_ = true;
        trial.run();
        return *trial.made();
    }

    const Design& design_;
    PreviewCache::State& state_;
    const PreviewRequest& request_;
    Study study_;
    StudyDevices devices_;
    std::vector<Preview> parts_; ///< one for each kind of step
    std::optional<std::vector<CompiledStep>> steps_;
    std::shared_ptr<const Preview> made_ = std::make_shared<const Preview>();
    bool isTrial_ = false; ///< true: a trial of a remedy, which must not look for remedies itself
};

} // namespace

std::shared_ptr<const Preview> preview(const Design& design, PreviewCache& cache,
                                       const PreviewRequest& request) {
    PreviewCache::State& state = cache.state();
    if (state.last && isSame(state.request, request) && computesTheSame(state.design, design)) {
        request.deliver ? request.deliver(state.last) : void();
        return state.last;
    }
    state.last = nullptr;
    Previewing previewing(design, state, request);
    if (previewing.run() && std::ranges::none_of(previewing.made()->problems, isAboutFiles)) {
        state.last = previewing.made();
        state.design = design;
        state.request = request;
        state.request.isWanted = {};
        state.request.deliver = {};
    }
    return previewing.made();
}

} // namespace weft
