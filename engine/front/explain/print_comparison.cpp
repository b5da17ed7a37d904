// SPDX-License-Identifier: Apache-2.0
// Prints comparisons as tables and as JSON.
#include "base/text/json.h"
#include "base/text/text.h"
#include "front/explain/time_text.h"
#include <weft/comparison.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace weft {

namespace {

std::string ratioText(Nanoseconds predicted, Nanoseconds measured) {
    return predicted.count == 0 || measured.count == 0
               ? ""
               : fmt::format("{:.2f}", static_cast<double>(measured.count) /
                                           static_cast<double>(predicted.count));
}

} // namespace

std::string print(const Comparison& comparison) {
    TextTable table({{"layer"},
                     {"computes, predicted", Align::right},
                     {"within", Align::right},
                     {"measured", Align::right},
                     {"ratio", Align::right},
                     {"communicates, predicted", Align::right},
                     {"measured", Align::right},
                     {"waited", Align::right}});
    for (const LayerComparison& layer : comparison.layers) {
        table.addRow({layer.name, timeText(layer.predicted), bandText(layer.band),
                      timeText(layer.measured), ratioText(layer.predicted, layer.measured),
                      timeText(layer.predictedCommunication), timeText(layer.measuredCommunication),
                      timeText(layer.measuredWaiting)});
    }
    return table.text() +
           fmt::format("\nstep time: predicted {}{}, measured {}{}\n",
                       toString(comparison.predicted),
                       comparison.band.isKnown() ? " (" + bandText(comparison.band) + ")" : "",
                       toString(comparison.measured),
                       comparison.predicted.count == 0 || comparison.measured.count == 0
                           ? ""
                           : ", ratio " + ratioText(comparison.predicted, comparison.measured)) +
           (comparison.waiting.count > 0
                ? fmt::format(
                      "of this, the device with the longest wait waits {} for other devices\n",
                      toString(comparison.waiting))
                : "");
}

std::string jsonOf(const Comparison& comparison) {
    Json layers = Json::array();
    for (const LayerComparison& layer : comparison.layers) {
        layers.push_back({{"name", layer.name},
                          {"predicted_ns", layer.predicted.count},
                          {"predicted_low_ns", layer.band.low.count},
                          {"predicted_high_ns", layer.band.high.count},
                          {"measured_ns", layer.measured.count},
                          {"predicted_communication_ns", layer.predictedCommunication.count},
                          {"measured_communication_ns", layer.measuredCommunication.count},
                          {"measured_waiting_ns", layer.measuredWaiting.count}});
    }
    return jsonText(Json{{"run", comparison.run},
                         {"predicted_step_ns", comparison.predicted.count},
                         {"predicted_step_low_ns", comparison.band.low.count},
                         {"predicted_step_high_ns", comparison.band.high.count},
                         {"measured_step_ns", comparison.measured.count},
                         {"measured_waiting_ns", comparison.waiting.count},
                         {"layers", layers}},
                    1) +
           "\n";
}

} // namespace weft
