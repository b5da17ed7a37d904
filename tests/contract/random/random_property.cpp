// SPDX-License-Identifier: Apache-2.0
#include "contract/random/random_property.h"

#include "contract/random/random_trial.h"

#include <rapidcheck.h>
#include <rapidcheck/detail/Configuration.h>

#include <cstdlib>
#include <iostream>

namespace weft::test {

namespace {

rc::Gen<TrainingDraws> anyDraws() {
    return rc::gen::build<TrainingDraws>(
        rc::gen::set(&TrainingDraws::settings),
        rc::gen::set(&TrainingDraws::layers,
                     rc::gen::resize(12, rc::gen::container<std::vector<LayerDraw>>(rc::gen::resize(
                                             100, rc::gen::arbitrary<LayerDraw>())))),
        rc::gen::set(&TrainingDraws::wires,
                     rc::gen::resize(8, rc::gen::arbitrary<std::vector<std::uint8_t>>())));
}

} // namespace

void showValue(const TrainingDraws& draws, std::ostream& out) {
    rc::show(draws.settings, out);
    out << " ";
    rc::show(draws.layers, out);
    out << " ";
    rc::show(draws.wires, out);
}

bool holdsForRandomDesigns(CommunicatorKind communicator, int designs, std::uint64_t seed) {
    auto params = rc::detail::configuration().testParams;
    if (std::getenv("RC_PARAMS") == nullptr && seed != anySeed) {
        params.seed = seed;
    }
    params.maxSuccess = designs;
    params.maxSize = 100;
    std::cout << "seed " << params.seed << ", " << designs << " designs\n";
    Trials trials;
    const auto property = [&] {
        const Trial trial = trials.run(*anyDraws(), communicator);
        if (trial.isVoid) {
            RC_DISCARD("no finite numbers");
        }
        if (!trial.failure.empty()) {
            RC_LOG() << trial.text;
            RC_FAIL(trial.failure);
        }
    };
    const auto result =
        rc::detail::checkTestable(property, rc::detail::TestMetadata{"", "random designs"}, params);
    rc::detail::printResultMessage(result, std::cout);
    std::cout << std::endl;
    return result.template is<rc::detail::SuccessResult>();
}

} // namespace weft::test
