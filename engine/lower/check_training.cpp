// SPDX-License-Identifier: Apache-2.0
#include "lower/check_training.h"

#include "base/names_of.h"
#include "lower/check_attributes.h"
#include "lower/problems.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

class SettingsCheck {
public:
    std::vector<Diagnostic> take() { return problems_.take(); }

    void kind(const char* code, const char* what, const std::string& name,
              const Attributes& attributes, const std::vector<NamedSpecs>& known) {
        const auto found = std::ranges::find(known, name, &NamedSpecs::name);
        if (found == known.end()) {
            word(code, what, name, namesOf(known));
            return;
        }
        const std::string owner = fmt::format("{} {}", what, name);
        static_cast<void>(
            checkedAttributes(attributes, found->attributes, owner, {},
                              [&](Diagnostic problem) { problems_.add(std::move(problem)); }));
    }

    void word(const char* code, const char* what, const std::string& given,
              const std::vector<std::string>& known) {
        if (std::ranges::find(known, given) != known.end()) {
            return;
        }
        problems_.add({.code = code,
                       .attribute = what,
                       .text = fmt::format("there is no {} '{}'", what, given),
                       .fix = fixByWord(given, known, "training", {what},
                                        fmt::format("use one of: {}", fmt::join(known, ", ")))});
    }

    void least(const char* code, const char* what, double given, double limit, bool isOpen) {
        if (isOpen ? given > limit : given >= limit) {
            return;
        }
        problems_.add(
            {.code = code,
             .attribute = what,
             .text = fmt::format("{} is {}", what, given),
             .fix = {fmt::format("set it to {} {}", isOpen ? "more than" : "at least", limit),
                     {}}});
    }

private:
    ProblemList problems_;
};

} // namespace

std::vector<Diagnostic> checkTraining(const TrainingSettings& training,
                                      const std::vector<NamedSpecs>& optimizers,
                                      const std::vector<NamedSpecs>& schedules) {
    SettingsCheck check;
    check.kind("E061", "optimizer", training.optimizer, training.optimizerAttributes, optimizers);
    check.kind("E062", "schedule", training.schedule, training.scheduleAttributes, schedules);
    check.word("E063", "order", training.order, {"sequential", "depth", "dataflow"});
    check.least("E064", "learning_rate", training.learningRate, 0, true);
    check.least("E065", "clip_norm", training.clipNorm, 0, false);
    check.least("E065", "bucket_megabytes", training.bucketMegabytes, 0, true);
    check.least("E066", "steps", static_cast<double>(training.steps), 0, false);
    check.least("E066", "epochs", training.epochs, 0, false);
    check.least("E066", "seconds", training.seconds, 0, false);
    check.least("E066", "lanes", static_cast<double>(training.lanes), 0, false);
    return check.take();
}

} // namespace weft
