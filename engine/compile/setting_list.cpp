// SPDX-License-Identifier: Apache-2.0
#include "compile/setting_list.h"

#include "compile/learning_rate.h"
#include "design/setting_rows.h"

namespace weft {

std::vector<SettingInfo> settingsWith(const SourceList& sources, const OptimizerList& optimizers) {
    std::vector<SettingInfo> all = settingRows();
    for (SettingInfo& setting : all) {
        const std::string key = setting.key();
        if (key == "training.optimizer") {
            for (const Optimizer& optimizer : optimizers.all()) {
                setting.kinds.push_back(optimizer.info);
            }
        } else if (key == "training.schedule") {
            setting.kinds = rateSchedules();
        } else if (key == "data.source") {
            for (const SourceKind& source : sources) {
                setting.kinds.push_back(
                    {source.name, source.help, source.attributes, source.title});
            }
        }
    }
    return all;
}

} // namespace weft
