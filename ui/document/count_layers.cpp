// SPDX-License-Identifier: Apache-2.0
#include "document/count_layers.h"

#include <map>
#include <set>

namespace weft::ui {

namespace {

class Count {
public:
    explicit Count(const Design& design) : design_(design) {}

    double of(const Network& network) {
        double count = 0;
        for (const Layer& layer : network.layers) {
            count += layer.group.empty() ? 1 : static_cast<double>(layer.repeat) * of(layer.group);
        }
        return count;
    }

private:
    double of(const std::string& group) {
        if (const auto known = known_.find(group); known != known_.end()) {
            return known->second;
        }
        const GroupDefinition* definition = design_.group(group);
        if (definition == nullptr || !open_.insert(group).second) {
            return 1;
        }
        const double count = of(definition->network);
        open_.erase(group);
        known_[group] = count;
        return count;
    }

    const Design& design_;
    std::map<std::string, double> known_;
    std::set<std::string> open_; ///< groups that are being counted; one found again is recursive
};

} // namespace

double countLayers(const Design& design, const Network& network) {
    return Count(design).of(network);
}

} // namespace weft::ui
