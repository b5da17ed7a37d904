// SPDX-License-Identifier: Apache-2.0
#include "data/generators/digit_drawing.h"

#include <weft/error.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace weft::generators {

namespace {

constexpr float boxSide = 20;
constexpr std::size_t stepsPerSpan = 6;
constexpr std::size_t mostVertices = mostStrokes * mostPointsOfStroke * stepsPerSpan;

/// Successive random numbers of one digit.
class Dice {
public:
    explicit Dice(const Draw& draw) : random_(draw) {}

    float uniform(float least, float most) {
        return least + (most - least) * random_.uniform(next_++);
    }
    /// Clamped to 2 deviations, as handwriting varies within limits.
    float normal(float mean, float deviation) {
        const float drawn = random_.normal(2 * (next_++));
        return mean + deviation * std::clamp(drawn, -2.0F, 2.0F);
    }

private:
    Philox random_;
    std::uint64_t next_ = 64;
};

struct Vertex {
    Point point;
    float width = 1;      ///< relative pen width
    bool isStart = false; ///< true: no line leads to this point
};

/// The pen's path.
struct Path {
    std::array<Vertex, mostVertices> vertices;
    std::size_t size = 0;

    void add(Vertex vertex) {
        ensure(size < vertices.size(), "a path has room for every skeleton");
        vertices[size++] = vertex;
    }
    [[nodiscard]] std::span<Vertex> all() { return std::span(vertices).first(size); }
};

/// Catmull-Rom spline from b to c with the neighbours a and d.
Point between(Point a, Point b, Point c, Point d, float t) {
    const auto one = [t](float p, float q, float r, float s) {
        return 0.5F * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t +
                       (3 * q - p - 3 * r + s) * t * t * t);
    };
    return {one(a.x, b.x, c.x, d.x), one(a.y, b.y, c.y, d.y)};
}

void addStroke(Path& path, const Stroke& stroke, float shake, Dice& dice) {
    std::array<Point, mostPointsOfStroke> points = {};
    for (std::size_t i = 0; i < stroke.size(); ++i) {
        points[i] = {stroke[i].at.x + dice.normal(0, shake),
                     stroke[i].at.y + dice.normal(0, shake)};
    }
    const std::size_t last = stroke.size() - 1;
    float width = dice.normal(1, 0.1F);
    path.add({points[0], width, true});
    for (std::size_t i = 0; i < last; ++i) {
        const float nextWidth = dice.normal(1, 0.1F);
        // A line starts afresh at a corner, independent of the points beyond.
        const Point before = points[i == 0 || stroke[i].isCorner ? i : i - 1];
        const Point after = points[i + 1 == last || stroke[i + 1].isCorner ? i + 1 : i + 2];
        for (std::size_t step = 1; step <= stepsPerSpan; ++step) {
            const float t = static_cast<float>(step) / stepsPerSpan;
            path.add({between(before, points[i], points[i + 1], after, t),
                      (width + (nextWidth - width) * t) * dice.uniform(0.94F, 1.06F)});
        }
        width = nextWidth;
    }
}

/// Displaces the plane smoothly by three long waves in each direction.
void bend(Path& path, float strength, Dice& dice) {
    struct Wave {
        float amplitude, alongX, alongY, phase;
    };
    std::array<Wave, 6> waves = {};
    for (Wave& wave : waves) {
        wave = {dice.normal(0, 0.035F * strength), dice.uniform(-5, 5), dice.uniform(-5, 5),
                dice.uniform(0, 2 * std::numbers::pi_v<float>)};
    }
    for (Vertex& vertex : path.all()) {
        const Point from = vertex.point;
        const auto moved = [&](std::size_t first) {
            float sum = 0;
            for (std::size_t i = first; i < first + 3; ++i) {
                sum += waves[i].amplitude * std::sin(waves[i].alongX * from.x +
                                                     waves[i].alongY * from.y + waves[i].phase);
            }
            return sum;
        };
        vertex.point = {from.x + moved(0), from.y + moved(3)};
    }
}

/// Applies slant, rotation and aspect ratio.
void lean(Path& path, int digit, float strength, Dice& dice) {
    const float slant = 0.16F * strength + dice.normal(0, 0.3F * strength);
    const float angle = dice.normal(0, 0.12F * strength);
    const float breadth = (digit == 1 ? 0.6F : 0.78F) * std::exp(dice.normal(0, 0.26F * strength));
    const float c = std::cos(angle);
    const float s = std::sin(angle);
    for (Vertex& vertex : path.all()) {
        const float y = vertex.point.y - 0.5F;
        const float x = (vertex.point.x - 0.5F) * breadth - slant * y;
        vertex.point = {c * x - s * y, s * x + c * y};
    }
}

/// Centres the path in the picture and scales it, with the pen, to the box of 20x20.
void fit(Path& path, float penWidth) {
    Point least = path.vertices[0].point;
    Point most = least;
    for (const Vertex& vertex : path.all()) {
        least = {std::min(least.x, vertex.point.x), std::min(least.y, vertex.point.y)};
        most = {std::max(most.x, vertex.point.x), std::max(most.y, vertex.point.y)};
    }
    const float extent = std::max({most.x - least.x, most.y - least.y, 1e-3F});
    const float scale = (boxSide - penWidth) / extent;
    const float middle = pictureSide / 2.0F;
    for (Vertex& vertex : path.all()) {
        vertex.point = {middle + (vertex.point.x - (least.x + most.x) / 2) * scale,
                        middle + (vertex.point.y - (least.y + most.y) / 2) * scale};
    }
}

using Canvas = std::array<float, picturePixels>;

/// Draws one line; a pixel's darkness is the pen's coverage, with edges `softness` pixels wide.
void drawLine(Canvas& canvas, const Vertex& from, const Vertex& to, float penWidth,
              float softness) {
    const float dx = to.point.x - from.point.x;
    const float dy = to.point.y - from.point.y;
    const float length2 = std::max(dx * dx + dy * dy, 1e-6F);
    const float reach = penWidth * std::max(from.width, to.width) / 2 + softness;
    const auto clipped = [](float at) {
        return static_cast<std::size_t>(std::clamp(at, 0.0F, static_cast<float>(pictureSide)));
    };
    const std::size_t top = clipped(std::min(from.point.y, to.point.y) - reach);
    const std::size_t bottom = clipped(std::max(from.point.y, to.point.y) + reach + 1);
    const std::size_t left = clipped(std::min(from.point.x, to.point.x) - reach);
    const std::size_t right = clipped(std::max(from.point.x, to.point.x) + reach + 1);
    for (std::size_t row = top; row < bottom; ++row) {
        const float y = static_cast<float>(row) + 0.5F - from.point.y;
        for (std::size_t column = left; column < right; ++column) {
            const float x = static_cast<float>(column) + 0.5F - from.point.x;
            const float t = std::clamp((x * dx + y * dy) / length2, 0.0F, 1.0F);
            const float offX = x - t * dx;
            const float offY = y - t * dy;
            const float radius = penWidth * (from.width + (to.width - from.width) * t) / 2;
            const float inside = radius - std::sqrt(offX * offX + offY * offY);
            const float dark = std::clamp(inside / softness + 0.5F, 0.0F, 1.0F);
            float& pixel = canvas[row * pictureSide + column];
            pixel = std::max(pixel, dark);
        }
    }
}

/// Shifts by whole pixels to centre the mass.
void centre(const Canvas& canvas, std::span<float, picturePixels> picture) {
    float mass = 1e-6F;
    float sumX = 0;
    float sumY = 0;
    for (std::size_t i = 0; i < canvas.size(); ++i) {
        mass += canvas[i];
        const std::size_t column = i % pictureSide;
        const std::size_t row = i / pictureSide;
        sumX += canvas[i] * (static_cast<float>(column) + 0.5F);
        sumY += canvas[i] * (static_cast<float>(row) + 0.5F);
    }
    const float middle = pictureSide / 2.0F;
    const auto byX = static_cast<std::ptrdiff_t>(std::lround(middle - sumX / mass));
    const auto byY = static_cast<std::ptrdiff_t>(std::lround(middle - sumY / mass));
    const auto side = static_cast<std::ptrdiff_t>(pictureSide);
    for (std::ptrdiff_t row = 0; row < side; ++row) {
        for (std::ptrdiff_t column = 0; column < side; ++column) {
            const std::ptrdiff_t y = row - byY;
            const std::ptrdiff_t x = column - byX;
            const bool isInside = y >= 0 && y < side && x >= 0 && x < side;
            picture[static_cast<std::size_t>(row * side + column)] =
                isInside ? canvas[static_cast<std::size_t>(y * side + x)] : 0.0F;
        }
    }
}

const Skeleton& choose(const std::vector<Skeleton>& skeletons, Dice& dice) {
    float total = 0;
    for (const Skeleton& skeleton : skeletons) {
        total += skeleton.weight;
    }
    float drawn = dice.uniform(0, total);
    for (const Skeleton& skeleton : skeletons) {
        drawn -= skeleton.weight;
        if (drawn < 0) {
            return skeleton;
        }
    }
    return skeletons.back();
}

} // namespace

DigitDrawing::DigitDrawing(std::uint64_t seed, const char* set, double distortion)
    : seed_(seed),
      set_(set),
      distortion_(static_cast<float>(distortion)),
      skeletons_(digitSkeletons()) {}

int DigitDrawing::label(std::int64_t index) const {
    return static_cast<int>(Philox({.seed = seed_, .role = set_, .step = index}).below(0, 10));
}

void DigitDrawing::draw(std::int64_t index, std::span<float, picturePixels> picture) const {
    const int digit = label(index);
    Dice dice({.seed = seed_, .role = set_, .step = index});
    Path path;
    const Skeleton& skeleton = choose(skeletons_[static_cast<std::size_t>(digit)], dice);
    for (const Stroke& stroke : skeleton.strokes) {
        addStroke(path, stroke, 0.05F * distortion_, dice);
    }
    bend(path, distortion_, dice);
    lean(path, digit, distortion_, dice);
    const float penWidth = std::clamp(dice.normal(2.35F, 0.8F * distortion_), 1.3F, 3.6F);
    fit(path, penWidth);
    const float softness = dice.uniform(0.9F, 1.5F);
    Canvas canvas = {};
    for (std::size_t i = 1; i < path.size; ++i) {
        if (!path.vertices[i].isStart) {
            drawLine(canvas, path.vertices[i - 1], path.vertices[i], penWidth, softness);
        }
    }
    const float strength = dice.uniform(1.0F, 1.3F);
    for (float& pixel : canvas) {
        pixel = std::min(pixel * strength, 1.0F);
    }
    centre(canvas, picture);
    for (float& pixel : picture) {
        pixel = std::round(pixel * 255) / 255;
    }
}

} // namespace weft::generators
