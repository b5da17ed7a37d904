// SPDX-License-Identifier: Apache-2.0
// h = rate_scale rate sum / count; d = (1 - momentum) h + momentum previous - decay w; w' = w + d.
// unit_length; counts of elements, of active codes, of active codes per tap inside the border
#include "backends/reference/reference_kernel.h"
#include "backends/reference/windows/windows.h"
#include "graph/set_sharing.h"

#include <cmath>

namespace weft::reference {

namespace {

struct HebbSettings {
    double decay = 0;
    double scale = 1;
    double momentum = 0;
    bool decaysByRate = false;
    std::size_t atomDim = 0;
};

HebbSettings hebbSettings(const KernelRequest& request) {
    const Attributes& attributes = request.attributes;
    return {attributes.real("weight_decay"), attributes.real("rate_scale"),
            attributes.has("momentum") ? attributes.real("momentum") : 0,
            attributes.boolean("decay_by_rate"),
            static_cast<std::size_t>(attributes.integer("set_dims"))};
}

/// Index of the count that divides element k of w: that of its set, its atom, or its tap of the
/// atom.
std::int64_t countFor(std::int64_t k, const Shape& w, const Shape& count, std::size_t atomDim) {
    if (count.size() <= atomDim + 1) {
        return k / product(w, count.size(), w.size());
    }
    const std::int64_t taps = product(w, w.size() - 2, w.size());
    return k / product(w, atomDim + 1, w.size()) * taps + k % taps;
}

struct Hebb {
    template <class T>
    void operator()(const Call<T>& call, const HebbSettings& with) const {
        const bool remembers = call.inputs() == 5;
        const double rate = with.scale * call.number(call.inputs() - 1);
        for (std::int64_t k = 0; k < call.output().elements(); ++k) {
            const double w = call.in(0)[k];
            const double count =
                call.in(2)[countFor(k, call.input(0).shape, call.input(2).shape, with.atomDim)];
            double d = count == 0 ? 0 : rate * call.in(1)[k] / count;
            if (remembers) {
                d = (1 - with.momentum) * d + with.momentum * call.in(3)[k];
            }
            d -= (with.decaysByRate ? rate : 1) * with.decay * w;
            call.out()[k] = static_cast<T>(w + d);
            if (remembers) {
                call.out(1)[k] = static_cast<T>(d);
            }
        }
    }
};

struct UnitLength {
    template <class T>
    void operator()(const Call<T>& call, std::size_t atomDim) const {
        const Shape& shape = call.input(0).shape;
        const std::int64_t each = product(shape, atomDim + 1, shape.size());
        for (std::int64_t atom = 0; atom < product(shape, 0, atomDim + 1); ++atom) {
            const T* w = call.in(0) + atom * each;
            double squares = 0;
            for (std::int64_t k = 0; k < each; ++k) {
                squares += static_cast<double>(w[k]) * w[k];
            }
            const double length = squares > 0 ? std::sqrt(squares) : 1;
            for (std::int64_t k = 0; k < each; ++k) {
                call.out()[atom * each + k] = static_cast<T>(w[k] / length);
            }
        }
    }
};

/// True where a position of an atom counts for a tap.
struct CountTaps {
    Sides sides;
    std::array<std::int64_t, 2> size;
    SetSharing sharing;

    template <class T>
    void operator()(const Call<T>& call) const {
        const TensorPart& code = call.input(0);
        const Shape& count = call.output().shape;
        const std::int64_t columns = count.back();
        const std::int64_t taps = columns * count[count.size() - 2];
        const SetStrides sets(sharing, code.shape[2] * code.shape[3], code.shape[1] * taps);
        std::fill_n(call.out(), call.output().elements(), T{0});
        for (std::int64_t k = 0; k < code.elements(); ++k) {
            if (call.in(0)[k] == 0) {
                continue;
            }
            const std::int64_t column = k % code.shape[3];
            const std::int64_t row = k / code.shape[3] % code.shape[2];
            const std::int64_t atom = k / (code.shape[3] * code.shape[2]) % code.shape[1];
            const std::int64_t element = k / (code.shape[3] * code.shape[2] * code.shape[1]);
            const std::int64_t set = sets.offset(element, row * code.shape[3] + column);
            for (std::int64_t tap = 0; tap < taps; ++tap) {
                const std::int64_t y = sides[0].position(code.begin[2] + row, tap / columns);
                const std::int64_t x = sides[1].position(code.begin[3] + column, tap % columns);
                const bool isInside = y >= 0 && y < size[0] && x >= 0 && x < size[1];
                call.out()[set + atom * taps + tap] += isInside ? 1 : 0;
            }
        }
    }
};

} // namespace

void hebb(KernelList& list) {
    addKernel(list, "hebb", hebbSettings, Hebb{});
    addKernel(list, "hebb_momentum", hebbSettings, Hebb{});
    addKernel(
        list, "unit_length",
        [](const KernelRequest& request) {
            return static_cast<std::size_t>(request.attributes.integer("set_dims"));
        },
        UnitLength{});
    addKernel(
        list, "count_elements",
        [](const KernelRequest& request) { return request.attributes.real("each"); },
        []<class T>(const Call<T>& call, double each) {
            // Number of this part's batch elements that a result covers: one, or all.
            const double here =
                static_cast<double>(call.input(0).shape[0]) /
                static_cast<double>(std::max<std::int64_t>(1, call.output().elements()));
            std::fill_n(call.out(), call.output().elements(), static_cast<T>(each * here));
        });
    addKernel(list, "count_zeros", []<class T>(const Call<T>& call) {
        *call.out() =
            static_cast<T>(std::count(call.in(0), call.in(0) + call.input(0).elements(), T{0}));
    });
    addKernel(
        list, "count_active",
        [](const KernelRequest& request) { return SetSharing(request.attributes); },
        []<class T>(const Call<T>& call, const SetSharing& sharing) {
            const Shape& code = call.input(0).shape;
            const std::int64_t positions = code[2] * code[3];
            const SetStrides sets(sharing, positions, code[1]);
            std::fill_n(call.out(), call.output().elements(), T{0});
            for (std::int64_t k = 0; k < call.input(0).elements(); ++k) {
                const std::int64_t set = sets.offset(k / (positions * code[1]), k % positions);
                call.out()[set + k / positions % code[1]] += call.in(0)[k] != 0 ? 1 : 0;
            }
        });
    addKernel(
        list, "count_taps",
        [](const KernelRequest& request) {
            const std::vector<std::int64_t> size = request.attributes.integers("size");
            return CountTaps{
                sidesOf(request.attributes), {size[0], size[1]}, SetSharing(request.attributes)};
        },
        [](const auto& call, const CountTaps& count) { count(call); });
}

} // namespace weft::reference
