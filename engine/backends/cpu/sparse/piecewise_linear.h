// SPDX-License-Identifier: Apache-2.0
#pragma once
// A piecewise linear transfer function (graph/transfer_function.h) on vectors of floats, and the
// cost of codes in double. Must be inlined into code compiled for the register width (simd.h).

#include "backends/cpu/lanes.h"
#include "graph/transfer_function.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace weft::cpu {

class PiecewiseLinear {
public:
    static constexpr std::size_t mostPieces = 8;

    /// Returns nothing if the function has more pieces.
    static std::optional<PiecewiseLinear> of(const TransferFunction& transfer) {
        const auto pieces = transfer.pieces();
        const auto prices = transfer.costPieces();
        if (pieces.size() > mostPieces || prices.size() > mostPieces) {
            return std::nullopt;
        }
        return PiecewiseLinear(transfer, pieces, prices);
    }

    /// True if the function is 0 below the threshold and subtracts a constant above it.
    [[nodiscard]] bool isThreshold() const {
        return count_ == 2 && slope_[0] == 0 && offset_[0] == 0 && slope_[1] == 1 &&
               offset_[1] == 0;
    }
    [[nodiscard]] bool isTwoSided() const { return isTwoSided_; }

    /// `threshold` and `twoSided` are the results of the functions above.
    template <int width, bool threshold, bool twoSided>
    [[nodiscard]] inline typename Lanes<width>::Floats __attribute__((always_inline))
    code(const typename Lanes<width>::Floats& v) const {
        using L = Lanes<width>;
        using Floats = typename L::Floats;
        const Floats x = twoSided ? L::magnitude(v) : v;
        Floats a = {};
        // Comparisons with NaN are false, so NaN is kept.
        if constexpr (threshold) {
            const Floats above = x - origin_[1];
            a = x < from_[1] ? a : above;
        } else {
            a = offset_[0] + slope_[0] * (x - origin_[0]);
            for (std::size_t k = 1; k < count_; ++k) {
                const Floats piece = offset_[k] + slope_[k] * (x - origin_[k]);
                a = x < from_[k] ? a : piece;
            }
        }
        return twoSided ? L::signedAs(a, v) : a;
    }

    [[nodiscard]] inline double __attribute__((always_inline)) cost(float code) const {
        const double a = isTwoSided_ ? std::abs(static_cast<double>(code)) : code;
        TransferFunction::CostPiece price = prices_[0];
        for (std::size_t k = 1; k < priceCount_; ++k) {
            price = a < prices_[k].from ? price : prices_[k];
        }
        return priceOf(price, a);
    }

    /// Returns the sum over `count` codes.
    [[nodiscard]] inline double __attribute__((always_inline))
    costs(const float* codes, std::int64_t count) const {
        double sum = 0;
        if (isLinear_ && isTwoSided_) {
#pragma omp simd reduction(+ : sum)
            for (std::int64_t k = 0; k < count; ++k) {
                sum += static_cast<double>(std::abs(codes[k]));
            }
            return sum * prices_[1].linear;
        }
        if (isLinear_) {
#pragma omp simd reduction(+ : sum)
            for (std::int64_t k = 0; k < count; ++k) {
                sum += static_cast<double>(codes[k] < 0 ? 0.0F : codes[k]);
            }
            return sum * prices_[1].linear;
        }
        for (std::int64_t k = 0; k < count; ++k) {
            sum += cost(codes[k]);
        }
        return sum;
    }

    /// Adds the costs of a short list padded with 0 to a multiple of four.
    inline void __attribute__((always_inline))
    addCosts(const float* codes, std::int64_t count, double (&sums)[4]) const {
        if (isLinear_) {
            for (std::int64_t first = 0; first < count; first += 4) {
                for (std::int64_t k = 0; k < 4; ++k) {
                    sums[k] += prices_[1].linear * magnitudeOf(codes[first + k]);
                }
            }
            return;
        }
        for (std::int64_t k = 0; k < count; ++k) {
            sums[0] += cost(codes[k]);
        }
    }

private:
    /// The argument of linear costs; one-sided codes below 0 cost nothing.
    [[nodiscard]] inline double __attribute__((always_inline)) magnitudeOf(float code) const {
        const double a = code;
        return isTwoSided_ ? std::abs(a) : a < 0 ? 0.0 : a;
    }
    static inline double __attribute__((always_inline))
    priceOf(const TransferFunction::CostPiece& price, double a) {
        const double rise = a - price.from;
        return price.base + rise * (price.linear + rise * price.quadratic);
    }

    PiecewiseLinear(const TransferFunction& transfer,
                    const std::vector<TransferFunction::Piece>& pieces,
                    const std::vector<TransferFunction::CostPiece>& prices)
        : count_(pieces.size()), priceCount_(prices.size()), isTwoSided_(transfer.isTwoSided()) {
        for (std::size_t k = 0; k < count_; ++k) {
            from_[k] = roundedUp(pieces[k].from);
            slope_[k] = static_cast<float>(pieces[k].slope);
            origin_[k] = static_cast<float>(pieces[k].origin);
            offset_[k] = static_cast<float>(pieces[k].offset);
        }
        std::copy(prices.begin(), prices.end(), prices_.begin());
        const TransferFunction::CostPiece nothing{};
        isLinear_ = priceCount_ == 2 && prices_[0] == nothing &&
                    prices_[1] == TransferFunction::CostPiece{.linear = prices_[1].linear};
    }

    /// Returns the smallest float not below the number, so that comparisons of floats with it are
    /// exact.
    static float roundedUp(double number) {
        const auto nearest = static_cast<float>(number);
        return nearest < number ? std::nextafter(nearest, std::numeric_limits<float>::infinity())
                                : nearest;
    }

    std::size_t count_ = 0;      ///< number of linear pieces
    std::size_t priceCount_ = 0; ///< number of pieces of the cost function
    bool isTwoSided_ = false;    ///< true: odd in v, pieces are in |v|
    bool isLinear_ = false; ///< true: costs are proportional to the code, as for soft thresholds
    std::array<float, mostPieces> from_ = {}, slope_ = {}, origin_ = {}, offset_ = {};
    std::array<TransferFunction::CostPiece, mostPieces> prices_ = {}; ///< pieces of the cost
};

} // namespace weft::cpu
