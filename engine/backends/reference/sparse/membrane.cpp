// SPDX-License-Identifier: Apache-2.0
// e = exp(-step[b] / tau); v' = e v + (1 - e) (drive + self a); weigh: y = x times e, 1 - e or
// step[b] / tau; sign; rest: y = begins[b] != 0 ? at_rest : v; begin: y = value;
// begin_drawn: y = value + spread (2 uniform(key, step, index in the whole) - 1)
#include "backends/reference/elementwise.h"
#include "base/philox.h"

#include <cmath>

namespace weft::reference {

namespace {

std::int64_t elementsOfEach(const TensorPart& part) {
    return product(part.shape, 1, part.shape.size());
}

struct MembraneSettings {
    double tau = 1;
    double self = 0;
};

struct WeighSettings {
    double tau = 1;
    enum class By : std::uint8_t { keep, take, ratio } by = By::keep;

    [[nodiscard]] double factor(double step) const {
        switch (by) {
        case By::keep: return std::exp(-step / tau);
        case By::take: return -std::expm1(-step / tau);
        case By::ratio: return step / tau;
        }
        return 0;
    }
};

WeighSettings weighSettings(const KernelRequest& request) {
    const std::string& by = request.attributes.text("by");
    return {request.attributes.real("tau"), by == "keep"   ? WeighSettings::By::keep
                                            : by == "take" ? WeighSettings::By::take
                                                           : WeighSettings::By::ratio};
}

} // namespace

void membrane(KernelList& list) {
    addKernel(
        list, "membrane",
        [](const KernelRequest& request) {
            return MembraneSettings{request.attributes.real("tau"),
                                    request.attributes.real("self")};
        },
        []<class T>(const Call<T>& call, const MembraneSettings& with) {
            const std::int64_t each = elementsOfEach(call.output());
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                const double step = call.in(3)[k / each];
                const double drive = call.in(1)[k] + with.self * call.in(2)[k];
                call.out()[k] = static_cast<T>(std::exp(-step / with.tau) * call.in(0)[k] -
                                               std::expm1(-step / with.tau) * drive);
            }
        });
    addKernel(
        list, "weigh", weighSettings, []<class T>(const Call<T>& call, const WeighSettings& with) {
            const std::int64_t each = elementsOfEach(call.output());
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                call.out()[k] = static_cast<T>(with.factor(call.in(1)[k / each]) * call.in(0)[k]);
            }
        });
    addUnary(list, "stop_gradient", [](auto x) { return x; });
    addUnary(list, "sign", [](auto x) { return static_cast<decltype(x)>((x > 0) - (x < 0)); });
    addKernel(list, "rest", []<class T>(const Call<T>& call) {
        const std::int64_t each = elementsOfEach(call.output());
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            call.out()[k] = call.in(2)[k / each] != 0 ? call.in(1)[k] : call.in(0)[k];
        }
    });
    addKernel(
        list, "begin",
        [](const KernelRequest& request) { return request.attributes.real("value"); },
        []<class T>(const Call<T>& call, double value) {
            std::fill_n(call.out(), call.output().elements(), static_cast<T>(value));
        });
    addKernel(
        list, "begin_drawn",
        [](const KernelRequest& request) {
            return std::pair(request.attributes.real("value"), request.attributes.real("spread"));
        },
        []<class T>(const Call<T>& call, const std::pair<double, double>& within) {
            const Philox philox(Draw{.seed = call.request.randomKey, .step = call.integer(1, 0)});
            for (std::int64_t k = 0; k < call.output().elements(); ++k) {
                const auto element = static_cast<std::uint64_t>(wholeIndex(call.output(), k));
                const double share = 2 * philox.uniform(element) - 1;
                call.out()[k] = static_cast<T>(within.first + within.second * share);
            }
        });
}

} // namespace weft::reference
