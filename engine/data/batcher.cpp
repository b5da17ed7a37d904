// SPDX-License-Identifier: Apache-2.0
#include "data/batcher.h"

#include "data/shuffle.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace weft {

namespace {

[[noreturn]] void refuse(const std::string& problem, const std::string& remedy) {
    throw Error(ErrorCode::design, {}, "data: " + problem, remedy);
}

LastBatch lastBatchNamed(const std::string& name) {
    if (name == "keep") {
        return LastBatch::keep;
    }
    if (name == "drop") {
        return LastBatch::drop;
    }
    if (name != "wrap") {
        refuse(fmt::format("last batch '{}' is not known", name),
               "set data.last_batch to keep, drop or wrap");
    }
    return LastBatch::wrap;
}

/// The name in the source's attribute.
const char* nameOf(MovieOrder order) {
    constexpr std::array<const char*, 5> names{"", "by_file", "by_list", "given", "random"};
    return names.at(static_cast<std::size_t>(order));
}

/// True if each row continues its own film.
bool isWatchedByRow(const ExampleOrder& order) {
    return order.watch == MovieOrder::byList || order.watch == MovieOrder::given;
}

void ensureGiven(const ExampleOrder& order, std::int64_t batch, std::int64_t examples) {
    const auto rows = static_cast<std::size_t>(batch);
    for (const auto& [name, list] : {std::pair{"starts", &order.starts}, {"skips", &order.skips}}) {
        if (list->size() != rows) {
            refuse(fmt::format("the source's {} has {} numbers, but a batch has {} elements", name,
                               list->size(), batch),
                   fmt::format("give {} one number per element, or set data.batch to {}", name,
                               list->size()));
        }
    }
    const auto beyond = std::ranges::find_if(
        order.starts, [&](std::int64_t start) { return start < 0 || start >= examples; });
    if (beyond != order.starts.end()) {
        refuse(fmt::format("the source's starts contain example {}, but there are only {} examples",
                           *beyond, examples),
               fmt::format("give starts from 0 to {}", examples - 1));
    }
}

} // namespace

Batcher::Batcher(const Settings& settings) : settings_(settings) {
    if (settings.batch < 1) {
        refuse(fmt::format("a batch of {}", settings.batch), "set the batch to 1 or more");
    }
    if (settings.examples < 1) {
        refuse("there are no examples", "choose files that contain examples, or hold out fewer");
    }
    if (stepsPerEpoch() == 0) {
        refuse(fmt::format(
                   "{} examples do not fill a batch of {}, and data.last_batch drops short batches",
                   settings.examples, settings.batch),
               "lower data.batch, or set data.last_batch to keep");
    }
}

std::int64_t Batcher::stepsPerEpoch() const {
    const std::int64_t full = settings_.examples / settings_.batch;
    const bool hasRest = settings_.examples % settings_.batch != 0;
    return full + (hasRest && settings_.lastBatch != LastBatch::drop ? 1 : 0);
}

std::int64_t Batcher::shortRows() const {
    return settings_.lastBatch == LastBatch::keep ? settings_.examples % settings_.batch : 0;
}

std::vector<std::int64_t> Batcher::rowCounts(DataPosition from) const {
    std::vector<std::int64_t> counts;
    const auto note = [&](std::int64_t rows) {
        if (rows > 0 && std::find(counts.begin(), counts.end(), rows) == counts.end()) {
            counts.push_back(rows);
        }
    };
    note(settings_.lastBatch == LastBatch::keep ? std::min(settings_.batch, settings_.examples)
                                                : settings_.batch);
    note(shortRows());
    if (settings_.lastBatch == LastBatch::keep && from.example < settings_.examples) {
        note((settings_.examples - from.example) % settings_.batch);
    }
    return counts;
}

Batch Batcher::at(DataPosition position) const {
    const auto rowsFrom = [this](std::int64_t example) {
        const std::int64_t left = std::max<std::int64_t>(settings_.examples - example, 0);
        switch (left > 0 && left < settings_.batch ? settings_.lastBatch : LastBatch::wrap) {
        case LastBatch::keep: return left;
        case LastBatch::drop: return std::int64_t{0};
        case LastBatch::wrap: break;
        }
        return left == 0 ? 0 : settings_.batch;
    };
    if (const std::int64_t rows = rowsFrom(position.example); rows > 0) {
        return {position, rows};
    }
    return {{position.epoch + 1, 0}, rowsFrom(0)};
}

DataPosition Batcher::after(const Batch& batch) const {
    const std::int64_t next = batch.position.example + batch.rows;
    if (next >= settings_.examples) {
        return {batch.position.epoch + 1, 0};
    }
    return {batch.position.epoch, next};
}

void Batcher::fill(const Batch& batch, std::int64_t begin, std::span<std::int64_t> examples) const {
    ensure(begin >= 0 && begin + static_cast<std::int64_t>(examples.size()) <= batch.rows,
           "the requested rows lie in the batch");
    if (isWatchedByRow(settings_.order)) {
        for (std::size_t row = 0; row < examples.size(); ++row) {
            examples[row] = exampleOf(batch.position, begin + static_cast<std::int64_t>(row));
        }
        return;
    }
    // Wraps around repeatedly, because a batch may be larger than the data.
    const auto place = [&](std::size_t row) {
        return (batch.position.example + begin + static_cast<std::int64_t>(row)) %
               settings_.examples;
    };
    if (!settings_.isShuffled) {
        for (std::size_t row = 0; row < examples.size(); ++row) {
            examples[row] = place(row);
        }
        return;
    }
    const Permutation order = shuffled(settings_.examples, settings_.seed, batch.position.epoch);
    for (std::size_t row = 0; row < examples.size(); ++row) {
        examples[row] = order(place(row));
    }
}

std::int64_t Batcher::exampleOf(DataPosition position, std::int64_t row) const {
    const std::int64_t step = position.example / settings_.batch;
    const std::int64_t all = settings_.examples;
    if (settings_.order.watch == MovieOrder::byList) {
        // If the short last batch is kept, the first rows have one more example each.
        const std::int64_t more =
            settings_.lastBatch == LastBatch::keep ? all % settings_.batch : 0;
        return row * (all / settings_.batch) + std::min(row, more) + step;
    }
    const auto at = static_cast<std::size_t>(row);
    const std::int64_t steps =
        (position.epoch - settings_.countedFrom.epoch) * stepsPerEpoch() + step;
    const std::int64_t walked = steps % all * (settings_.order.skips[at] % all) % all;
    return (settings_.order.starts[at] + walked) % all;
}

bool Batcher::continuesFilm(DataPosition position, std::int64_t row) const {
    const std::int64_t batch = settings_.batch;
    const ExampleOrder& order = settings_.order;
    const bool isFirst = position.example < batch;
    if (position == settings_.countedFrom) {
        return false;
    }
    std::int64_t before = 0;
    std::int64_t now = 0;
    std::int64_t skip = 1;
    switch (order.watch) {
    case MovieOrder::free:
    case MovieOrder::random: return false;
    case MovieOrder::byFile:
        now = position.example + row;
        before = now - batch;
        skip = batch;
        if (isFirst || now >= settings_.examples) {
            return false;
        }
        break;
    case MovieOrder::byList:
        now = exampleOf(position, row);
        before = now - 1;
        if (isFirst) {
            return false;
        }
        break;
    case MovieOrder::given:
        now = exampleOf(position, row);
        before = exampleOf(isFirst ? DataPosition{position.epoch - 1, (stepsPerEpoch() - 1) * batch}
                                   : DataPosition{position.epoch, position.example - batch},
                           row);
        skip = order.skips[static_cast<std::size_t>(row)];
        break;
    }
    const auto next = std::upper_bound(order.films.begin(), order.films.end(), before);
    return now == before + skip && (next == order.films.end() || *next > now);
}

void Batcher::markFilmBegins(const Batch& batch, std::int64_t begin,
                             std::span<float> begins) const {
    for (std::size_t row = 0; row < begins.size(); ++row) {
        if (!continuesFilm(batch.position, begin + static_cast<std::int64_t>(row))) {
            begins[row] = 1;
        }
    }
}

Batcher trainingBatcher(const DataSettings& settings, std::int64_t examples, std::uint64_t seed,
                        const ExampleOrder& order, DataPosition countedFrom) {
    if (settings.order != "shuffled" && settings.order != "file") {
        refuse(fmt::format("order '{}' is not known", settings.order),
               "set data.order to shuffled or file");
    }
    LastBatch last = lastBatchNamed(settings.lastBatch);
    if (isWatchedByRow(order)) {
        last = LastBatch::drop;
    }
    if (last != LastBatch::wrap && settings.batch > examples && examples > 0) {
        throw Error(ErrorCode::design, {},
                    fmt::format("data.batch is {}, but the run trains on only {} examples, so that "
                                "no batch is full",
                                settings.batch, examples),
                    fmt::format("set data.batch to {} or less", examples));
    }
    if (order.watch == MovieOrder::given) {
        ensureGiven(order, settings.batch, examples);
    }
    return Batcher({.examples = examples,
                    .batch = settings.batch,
                    .lastBatch = last,
                    .isShuffled = order.watch == MovieOrder::random ||
                                  (order.watch == MovieOrder::free && settings.order == "shuffled"),
                    .seed = seed,
                    .order = order,
                    .countedFrom = countedFrom});
}

Batcher evaluationBatcher(const DataSettings& settings, std::int64_t examples,
                          const ExampleOrder& order, LastBatch last) {
    ExampleOrder once = order;
    once.watch = isWatchedByRow(order)             ? MovieOrder::byList
                 : order.watch == MovieOrder::free ? MovieOrder::free
                                                   : MovieOrder::byFile;
    return Batcher({.examples = examples,
                    .batch = settings.batch,
                    .lastBatch = last,
                    .isShuffled = false,
                    .order = std::move(once)});
}

std::string rowOrderText(const Batcher::Settings& settings) {
    const ExampleOrder& order = settings.order;
    if (order.watch == MovieOrder::free || order.watch == MovieOrder::random) {
        return {};
    }
    std::string text =
        fmt::format("{} batch elements in order {} (of {} examples in {} movies)", settings.batch,
                    nameOf(order.watch), settings.examples, order.films.size());
    if (order.watch == MovieOrder::given) {
        text += fmt::format(" from {} by {}", fmt::join(order.starts, ", "),
                            fmt::join(order.skips, ", "));
    }
    return text;
}

DataPosition restartPosition(const Batcher::Settings& settings, DataPosition position) {
    const bool isAtBorder = position.example == 0 || !isWatchedByRow(settings.order);
    return isAtBorder ? position : DataPosition{position.epoch + 1, 0};
}

std::string restartText(const Batcher::Settings& settings) {
    switch (settings.order.watch) {
    case MovieOrder::byList:
        return fmt::format("batch element b starts at example b x {} (of {} examples in {} parts)",
                           settings.examples / settings.batch, settings.examples, settings.batch);
    case MovieOrder::given: return "each batch element starts at its entry in starts";
    default: return "each batch element starts with its next example";
    }
}

std::string overriddenOrderText(const DataSettings& settings, const ExampleOrder& order) {
    const bool isRandom = order.watch == MovieOrder::random;
    if (order.watch == MovieOrder::free || isRandom == (settings.order == "shuffled")) {
        return {};
    }
    return fmt::format("data.order is {}, but movies are played in the order of their source: {}",
                       settings.order, nameOf(order.watch));
}

} // namespace weft
