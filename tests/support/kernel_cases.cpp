// SPDX-License-Identifier: Apache-2.0
#include "support/kernel_cases.h"

#include "device/settled_formats.h"

#include <algorithm>
#include <cmath>

namespace weft::test {

namespace {

/// A sum of `length` products in f32 is off by some roundings of its largest terms; an elementwise
/// function by a few of its last digits. Of operands that are rounded to less, each by itself, the
/// roundings cancel out: a sum of them is off by a few of its own.
double toleranceFor(std::int64_t length, const Tensor& expected, Precision precision) {
    if (!isFloating(expected.dtype)) {
        return 0;
    }
    const double largest = std::max(1.0, largestMagnitude(expected));
    constexpr double roundings = 8;
    switch (precision) {
    case Precision::tf32: return std::ldexp(roundings, -11) * largest;
    case Precision::bf16: return std::ldexp(roundings, -8) * largest;
    case Precision::exact: break;
    }
    return 6e-8 * static_cast<double>(length + 32) * largest;
}

std::vector<TensorPart> inDouble(std::vector<TensorPart> parts) {
    for (TensorPart& part : parts) {
        part.dtype = isFloating(part.dtype) ? DType::f64 : part.dtype;
    }
    return parts;
}

Format halvedFormatOf(const TensorPart& part) {
    const std::size_t rank = part.shape.size();
    return part.dtype == DType::f32 ? halved(rank == 4 ? channelsLast() : Format{}, rank)
                                    : Format{};
}

std::vector<Tensor> inDouble(const std::vector<Tensor>& numbers) {
    std::vector<Tensor> wide;
    wide.reserve(numbers.size());
    for (const Tensor& one : numbers) {
        wide.push_back(isFloating(one.dtype) ? one.as(DType::f64) : one);
    }
    return wide;
}

} // namespace

HalvedCase keptAsBf16(Oracle& reference, const std::string& op, const KernelCase& one) {
    HalvedCase inBf16{.held = one, .formats = {}};
    LocalCase& local = inBf16.held.local;
    for (std::size_t k = 0; k < local.inputs.size(); ++k) {
        const Shape& shape = local.inputs[k].shape;
        const Format format = halvedFormatOf(local.inputs[k]);
        if (!format.isPlain()) {
            local.numbers[k] =
                fromFormat(toFormat(local.numbers[k], format), DType::f32, shape, format);
        }
        inBf16.formats.push_back(format);
    }
    inBf16.held.results =
        reference.run(op, one.attributes, inDouble(local.numbers), inDouble(local.inputs),
                      inDouble(local.outputs), {.randomKey = KernelCases::randomKey});
    for (TensorPart& part : local.outputs) {
        part.format = halvedFormatOf(part);
    }
    return inBf16;
}

void KernelCases::add(const OpCase& one, LocalCase local, bool isWhole) {
    auto results =
        reference_.run(one.op->name, one.attributes, inDouble(local.numbers),
                       inDouble(local.inputs), inDouble(local.outputs), {.randomKey = randomKey});
    cases_[one.op->name].push_back(
        {std::move(local), one.attributes, std::move(results), contractionLength(one), isWhole});
}

const std::vector<KernelCase>& KernelCases::of(const std::string& name) {
    if (!cases_.contains(name)) {
        Op op = ops_.at(name);
        const std::size_t catalogued = op.samples.size();
        const std::vector<Sample>& more = more_[name];
        op.samples.insert(op.samples.end(), more.begin(), more.end());
        for (std::size_t k = 0; k < op.samples.size(); ++k) {
            const OpCase one = makeCase(ops_, op, k, reference_, DType::f32);
            add(one, wholeCase(one), true);
            if (k < catalogued) {
                for (LocalCase& local : localCases(one)) {
                    add(one, std::move(local), false);
                }
            }
        }
    }
    return cases_[name];
}

std::string faultIn(const KernelCase& one, const std::vector<Tensor>& y,
                    const std::vector<Tensor>& again, Precision precision) {
    for (std::size_t k = 0; k < y.size(); ++k) {
        const std::string result = "result " + std::to_string(k);
        const double difference = largestDifference(y[k], one.results[k]);
        const double tolerance = toleranceFor(one.length, one.results[k], precision);
        if (difference > tolerance) {
            return result + " differs by " + std::to_string(difference) +
                   " where rounding explains " + std::to_string(tolerance);
        }
        if (y[k].bytes != again[k].bytes) {
            return result + " gives other bits when run again";
        }
    }
    return {};
}

} // namespace weft::test
