// SPDX-License-Identifier: Apache-2.0
// Per row, n = the whole size of the last dim: mean, r = 1 / sqrt(variance + epsilon), xhat = (x -
// mean) r, y = gamma xhat + beta, dgamma = sum over rows of dy xhat; s1 = mean of gamma dy, s2 =
// mean of gamma dy xhat, dx = r (gamma dy - s1 - xhat s2).
#include "backends/reference/reference_kernel.h"

#include <cmath>

namespace weft::reference {

namespace {

/// A value as rows of features.
struct Rows {
    std::int64_t rows, size;
    double whole; ///< features per row in the whole
    explicit Rows(const TensorPart& x)
        : rows(rowsOf(x.shape)), size(x.shape.back()), whole(static_cast<double>(x.whole.back())) {}
};

template <class T>
double rowMean(const Rows& rows, const T* row) {
    double sum = 0;
    for (std::int64_t d = 0; d < rows.size; ++d) {
        sum += row[d];
    }
    return sum / rows.whole;
}

template <class T>
double rowVariance(const Rows& rows, const T* row, double mean) {
    double sum = 0;
    for (std::int64_t d = 0; d < rows.size; ++d) {
        sum += (row[d] - mean) * (row[d] - mean);
    }
    return sum / rows.whole;
}

template <class T>
double weightedMean(const Rows& rows, const T* gamma, const T* dy) {
    double sum = 0;
    for (std::int64_t d = 0; d < rows.size; ++d) {
        sum += static_cast<double>(gamma[d]) * dy[d];
    }
    return sum / rows.whole;
}

template <class T>
double normalisedMean(const Rows& rows, const T* x, double mean, double r, const T* gamma,
                      const T* dy) {
    double sum = 0;
    for (std::int64_t d = 0; d < rows.size; ++d) {
        sum += static_cast<double>(gamma[d]) * dy[d] * ((x[d] - mean) * r);
    }
    return sum / rows.whole;
}

template <class T>
void normaliseLayerNorm(const Rows& rows, const T* x, double mean, double r, const T* gamma,
                        const T* beta, T* y) {
    for (std::int64_t d = 0; d < rows.size; ++d) {
        y[d] = static_cast<T>(gamma[d] * ((x[d] - mean) * r) + beta[d]);
    }
}

template <class T>
void inputGradient(const Rows& rows, const T* x, double mean, double r, const T* gamma, const T* dy,
                   double s1, double s2, T* dx) {
    for (std::int64_t d = 0; d < rows.size; ++d) {
        const double normalised = (x[d] - mean) * r;
        dx[d] = static_cast<T>(r * (static_cast<double>(gamma[d]) * dy[d] - s1 - normalised * s2));
    }
}

template <class T>
void runLayerNormForward(const Call<T>& call, double epsilon) {
    const Rows at(call.input(0));
    for (std::int64_t row = 0; row < at.rows; ++row) {
        const T* x = call.in(0) + row * at.size;
        const double mean = rowMean(at, x);
        const double r = 1 / std::sqrt(rowVariance(at, x, mean) + epsilon);
        normaliseLayerNorm(at, x, mean, r, call.in(1), call.in(2), call.out(0) + row * at.size);
        call.out(1)[row] = static_cast<T>(mean);
        call.out(2)[row] = static_cast<T>(r);
    }
}

template <class T>
void runLayerNormInputGradient(const Call<T>& call) {
    const Rows at(call.input(0));
    const T* gamma = call.in(3);
    for (std::int64_t row = 0; row < at.rows; ++row) {
        const T* x = call.in(0) + row * at.size;
        const T* dy = call.in(4) + row * at.size;
        const double mean = call.in(1)[row];
        const double r = call.in(2)[row];
        const double s1 = weightedMean(at, gamma, dy);
        const double s2 = normalisedMean(at, x, mean, r, gamma, dy);
        inputGradient(at, x, mean, r, gamma, dy, s1, s2, call.out() + row * at.size);
    }
}

template <class T>
void runLayerNormScaleGradient(const Call<T>& call) {
    const Rows at(call.input(0));
    for (std::int64_t d = 0; d < at.size; ++d) {
        double sum = 0;
        for (std::int64_t row = 0; row < at.rows; ++row) {
            const std::int64_t e = row * at.size + d;
            sum += (static_cast<double>(call.in(0)[e]) - call.in(1)[row]) * call.in(2)[row] *
                   call.in(3)[e];
        }
        call.out()[d] = static_cast<T>(sum);
    }
}

/// Adds a kernel with one number per row of operand `x`.
template <class T, class Number>
void perRow(const Call<T>& call, std::size_t x, const Number& number) {
    const Rows at(call.input(x));
    for (std::int64_t row = 0; row < at.rows; ++row) {
        call.out()[row] = static_cast<T>(number(at, row));
    }
}

void addPartsOfExpansions(KernelList& list) {
    addKernel(list, "row_mean", []<class T>(const Call<T>& call) {
        perRow(call, 0, [&](const Rows& rows, std::int64_t row) {
            return rowMean(rows, call.in(0) + row * rows.size);
        });
    });
    addKernel(list, "row_variance", []<class T>(const Call<T>& call) {
        perRow(call, 0, [&](const Rows& rows, std::int64_t row) {
            return rowVariance(rows, call.in(0) + row * rows.size, call.in(1)[row]);
        });
    });
    addKernel(list, "weighted_row_mean", []<class T>(const Call<T>& call) {
        perRow(call, 1, [&](const Rows& rows, std::int64_t row) {
            return weightedMean(rows, call.in(0), call.in(1) + row * rows.size);
        });
    });
    addKernel(list, "normalised_row_mean", []<class T>(const Call<T>& call) {
        perRow(call, 0, [&](const Rows& rows, std::int64_t row) {
            return normalisedMean(rows, call.in(0) + row * rows.size, call.in(1)[row],
                                  call.in(2)[row], call.in(3), call.in(4) + row * rows.size);
        });
    });
    addKernel(list, "normalise_rows", []<class T>(const Call<T>& call) {
        const Rows at(call.input(0));
        for (std::int64_t row = 0; row < at.rows; ++row) {
            normaliseLayerNorm(at, call.in(0) + row * at.size, call.in(1)[row], call.in(2)[row],
                               call.in(3), call.in(4), call.out() + row * at.size);
        }
    });
    addKernel(list, "layer_norm_dx_from_means", []<class T>(const Call<T>& call) {
        const Rows at(call.input(0));
        for (std::int64_t row = 0; row < at.rows; ++row) {
            inputGradient(at, call.in(0) + row * at.size, call.in(1)[row], call.in(2)[row],
                          call.in(3), call.in(4) + row * at.size, call.in(5)[row], call.in(6)[row],
                          call.out() + row * at.size);
        }
    });
}

} // namespace

void layer_norm(KernelList& list) {
    addKernel(
        list, "layer_norm",
        [](const KernelRequest& request) { return request.attributes.real("epsilon"); },
        [](const auto& call, double epsilon) { runLayerNormForward(call, epsilon); });
    addKernel(list, "layer_norm_dx", [](const auto& call) { runLayerNormInputGradient(call); });
    addKernel(list, "layer_norm_dgamma", [](const auto& call) { runLayerNormScaleGradient(call); });
    addPartsOfExpansions(list);
}

} // namespace weft::reference
