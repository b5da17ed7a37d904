// SPDX-License-Identifier: Apache-2.0
#include "trained_run.h"

#include "support/places.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/session.h>

#include <stdexcept>

namespace weft::test {

Design digitsDesign(std::int64_t steps) {
    Design design =
        loadDesign(sourceFolder() / "projects/quickstart-digits/design.weft", catalogue()).design;
    design.training.steps = steps;
    design.training.epochs = 0;
    design.training.evaluateEvery = steps;
    design.training.checkpointEvery = steps;
    return design;
}

Design dictionaryDesign(std::int64_t steps, std::int64_t elements, int devices) {
    Design design =
        loadDesign(sourceFolder() / "projects/lca-dictionary/design.weft", catalogue()).design;
    design.data.batch = elements;
    design.training.steps = steps;
    design.training.epochs = 0;
    design.training.checkpointEvery = steps;
    for (int device = 0; devices > 1 && device < devices; ++device) {
        design.devices.push_back({.name = "cpu:" + std::to_string(device)});
    }
    if (devices > 1) {
        design.assignment.words = {AxisWord::batch};
    }
    return design;
}

void trainRun(const Design& design, const std::filesystem::path& folder,
              const std::filesystem::path& data) {
    SessionRequest request;
    request.design = design;
    request.run = folder;
    request.folder = data;
    for (const char* layer : {"conv1", "code"}) {
        if (findLayer(design.network, std::string_view(layer)) != nullptr) {
            request.observe.emplace_back(layer);
        }
    }
    Session session(std::move(request));
    const SessionOutcome outcome = session.wait();
    if (outcome.state != SessionState::finished) {
        throw std::runtime_error(outcome.message);
    }
}

} // namespace weft::test
