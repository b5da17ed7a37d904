// SPDX-License-Identifier: Apache-2.0
#include "run/execute/initialise.h"

#include "base/philox.h"
#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft {

namespace {

struct Distribution {
    enum class Kind : std::uint8_t { constant, uniform, normal } kind = Kind::constant;
    double first = 0;    ///< the constant, the low end or the mean
    double second = 0;   ///< the high end or the deviation
    bool isUnit = false; ///< rows, the first dim of a set, are scaled to length 1
};

/// Glorot and Bengio 2010; He et al. 2015. The variance is divided by `fan`.
Distribution scaled(const Attributes& with, double fan, double share) {
    const double gain = with.has("gain") ? with.real("gain") : 1.0;
    const double deviation = gain * std::sqrt(share / std::max(1.0, fan));
    if (with.has("distribution") && with.text("distribution") == "normal") {
        return {Distribution::Kind::normal, 0, deviation};
    }
    const double bound = deviation * std::sqrt(3.0);
    return {Distribution::Kind::uniform, -bound, bound};
}

Distribution spreadOf(const Initialiser& initialiser) {
    const Attributes& with = initialiser.attributes;
    if (initialiser.kind == "zeros") {
        return {};
    }
    if (initialiser.kind == "constant") {
        return {Distribution::Kind::constant, with.real("value"), 0};
    }
    if (initialiser.kind == "uniform") {
        return {Distribution::Kind::uniform, with.real("low"), with.real("high")};
    }
    if (initialiser.kind == "normal") {
        return {Distribution::Kind::normal, with.real("mean"), with.real("deviation")};
    }
    if (initialiser.kind == "unit") {
        return {Distribution::Kind::normal, 0, 1, true};
    }
    const auto fanIn = with.real("fan_in");
    if (initialiser.kind == "he") {
        return scaled(with, fanIn, 2.0);
    }
    ensure(initialiser.kind == "xavier", "an initialiser is of a known kind");
    return scaled(with, fanIn + with.real("fan_out"), 2.0);
}

/// Returns the norm of the whole row, whichever part of the row this process holds.
double lengthOf(const Philox& philox, std::int64_t row, std::int64_t elements) {
    double squares = 0;
    for (std::int64_t k = 0; k < elements; ++k) {
        const double value = philox.normal(static_cast<std::uint64_t>(row * elements + k));
        squares += value * value;
    }
    return std::sqrt(squares);
}

template <class T>
void fillRow(const Philox& philox, const Distribution& spread, std::uint64_t first,
             std::int64_t count, T* out) {
    for (std::int64_t k = 0; k < count; ++k) {
        const std::uint64_t element = first + static_cast<std::uint64_t>(k);
        double value = spread.first;
        if (spread.kind == Distribution::Kind::uniform) {
            value += (spread.second - spread.first) * philox.uniform(element);
        } else if (spread.kind == Distribution::Kind::normal) {
            value += spread.second * philox.normal(element);
        }
        out[k] = static_cast<T>(value);
    }
}

/// How draws are numbered: through the whole slot, or from 0 in each of several sets.
struct Numbering {
    std::int64_t ofSet;  ///< numbers that are drawn separately: all, or those of one set
    std::int64_t perRow; ///< numbers in a row that "unit" scales to length 1

    explicit Numbering(const Slot& slot) {
        const Attributes& with = slot.initialiser.attributes;
        const std::size_t sets =
            with.has("set_dims") ? static_cast<std::size_t>(with.integer("set_dims")) : 0;
        std::int64_t ofOne = elementsOf(slot.shape);
        for (std::size_t k = 0; k < sets; ++k) {
            ofOne /= std::max<std::int64_t>(1, slot.shape[k]);
        }
        const bool areAlike = with.has("sets_alike") && with.boolean("sets_alike");
        ofSet = std::max<std::int64_t>(1, areAlike ? ofOne : elementsOf(slot.shape));
        const std::int64_t rows = sets < slot.shape.size() ? slot.shape[sets] : 1;
        perRow = std::max<std::int64_t>(1, ofOne / std::max<std::int64_t>(1, rows));
    }
};

template <class T>
void fillBox(const Slot& slot, const Philox& philox, const Distribution& spread, const Box& box,
             T* out) {
    const Numbering numbering(slot);
    const std::size_t rank = slot.shape.size();
    const std::int64_t length = rank == 0 ? 1 : box.end[rank - 1] - box.begin[rank - 1];
    const std::int64_t rows = length == 0 ? 0 : box.elements() / length;
    Shape index = box.begin;
    Distribution here = spread;
    std::int64_t drawn = -1; // the row whose norm is known
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t at = 0;
        for (std::size_t k = 0; k < rank; ++k) {
            at = at * slot.shape[k] + index[k];
        }
        at %= numbering.ofSet;
        if (spread.isUnit && at / numbering.perRow != drawn) {
            drawn = at / numbering.perRow;
            here.second = 1 / lengthOf(philox, drawn, numbering.perRow);
        }
        fillRow(philox, here, static_cast<std::uint64_t>(at), length, out + row * length);
        for (std::size_t k = rank - (rank > 0 ? 1 : 0); k-- > 0;) {
            if (++index[k] < box.end[k]) {
                break;
            }
            index[k] = box.begin[k];
        }
    }
}

} // namespace

void drawInitialContents(const Slot& slot, std::uint64_t seed, const Box& box,
                         std::span<std::byte> out) {
    ensure(out.size() == static_cast<std::size_t>(box.elements()) * byteSize(slot.dtype),
           "the memory of an initial value has the size of its slot");
    const Philox philox({.seed = seed, .origin = {}, .role = slot.name, .step = 0});
    const Distribution spread = spreadOf(slot.initialiser);
    switch (slot.dtype) {
    case DType::f32:
        fillBox(slot, philox, spread, box, reinterpret_cast<float*>(out.data()));
        break;
    case DType::f64:
        fillBox(slot, philox, spread, box, reinterpret_cast<double*>(out.data()));
        break;
    case DType::i64:
        fillBox(slot, philox, spread, box, reinterpret_cast<std::int64_t*>(out.data()));
        break;
    case DType::i32:
        fillBox(slot, philox, spread, box, reinterpret_cast<std::int32_t*>(out.data()));
        break;
    default:
        ensure(spread.kind == Distribution::Kind::constant && spread.first == 0,
               "slots of this element type start at zero");
        std::memset(out.data(), 0, out.size());
    }
}

} // namespace weft
