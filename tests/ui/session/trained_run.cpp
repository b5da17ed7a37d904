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

void trainRun(const Design& design, const std::filesystem::path& folder,
              const std::filesystem::path& data) {
    SessionRequest request;
    request.design = design;
    request.run = folder;
    request.folder = data;
    if (findLayer(design.network, std::string_view("conv1")) != nullptr) {
        request.observe = {"conv1"};
    }
    Session session(std::move(request));
    const SessionOutcome outcome = session.wait();
    if (outcome.state != SessionState::finished) {
        throw std::runtime_error(outcome.message);
    }
}

} // namespace weft::test
