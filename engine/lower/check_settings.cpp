// SPDX-License-Identifier: Apache-2.0
#include "lower/check_settings.h"

#include "base/check_attributes.h"
#include "base/text/names_of.h"
#include "lower/problems.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

class SettingCheck {
public:
    SettingCheck(const Design& design, const SettingInfo& setting, ProblemList& problems)
        : design_(design), setting_(setting), problems_(problems) {}

    void run() {
        const AttributeValue value = *settingOf(design_, setting_.key());
        if (setting_.kinds.empty()) {
            static_cast<void>(checkedAttribute(
                value, setting_.spec, {.name = setting_.section, .section = setting_.section},
                [&](Diagnostic problem) {
                    problem.code = setting_.code;
                    add(std::move(problem));
                }));
            return;
        }
        const auto& name = std::get<std::string>(value);
        const auto kind = std::ranges::find(setting_.kinds, name, &SettingKind::name);
        if (kind == setting_.kinds.end()) {
            unknown(name);
            return;
        }
        const std::string owner = fmt::format("{} {}", setting_.spec.name, name);
        const std::string within = setting_.spec.name + ".with.";
        static_cast<void>(
            checkedAttributes(settingAttributes(design_, setting_.key()), kind->attributes,
                              {.name = owner, .setting = within, .section = setting_.section},
                              [&](Diagnostic problem) { add(std::move(problem)); }));
    }

private:
    void unknown(const std::string& name) {
        const std::vector<std::string> known = namesOf(setting_.kinds);
        add({.code = setting_.code,
             .attribute = setting_.spec.name,
             .text = name.empty() ? fmt::format("no {} is chosen", setting_.spec.name)
                                  : fmt::format("there is no {} '{}'", setting_.spec.name, name),
             .fix = fixByWord(name, known, setting_.section, {setting_.spec.name},
                              fmt::format("choose one of {}", fmt::join(known, ", ")))});
    }

    void add(Diagnostic problem) {
        problem.layerName = setting_.section;
        problems_.add(std::move(problem));
    }

    const Design& design_;
    const SettingInfo& setting_;
    ProblemList& problems_;
};

} // namespace

std::vector<Diagnostic> checkSettings(const Design& design,
                                      const std::vector<SettingInfo>& settings) {
    ProblemList problems;
    for (const SettingInfo& setting : settings) {
        SettingCheck(design, setting, problems).run();
    }
    return problems.take();
}

} // namespace weft
