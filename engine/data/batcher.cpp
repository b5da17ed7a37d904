// SPDX-License-Identifier: Apache-2.0
#include "data/batcher.h"

#include "data/shuffle.h"
#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

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
        refuse(fmt::format("last batch '{}' is not known", name), "say keep, drop or wrap");
    }
    return LastBatch::wrap;
}

} // namespace

Batcher::Batcher(const Settings& settings) : settings_(settings) {
    if (settings.batch < 1) {
        refuse(fmt::format("a batch of {}", settings.batch), "set the batch to 1 or more");
    }
    if (settings.examples < 1) {
        refuse("there are no examples", "choose files that hold some, or hold out fewer");
    }
    if (stepsPerEpoch() == 0) {
        refuse(fmt::format("{} examples make no batch of {}, and short ones are dropped",
                           settings.examples, settings.batch),
               "make the batch smaller, or keep the last batch");
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
           "rows that are wanted lie in the batch");
    // Wrapping goes round as often as it takes: a batch may be larger than the whole.
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

Batcher trainingBatcher(const DataSettings& settings, std::int64_t examples, std::uint64_t seed) {
    if (settings.order != "shuffled" && settings.order != "file") {
        refuse(fmt::format("order '{}' is not known", settings.order), "say shuffled or file");
    }
    const LastBatch last = lastBatchNamed(settings.lastBatch);
    if (last != LastBatch::wrap && settings.batch > examples && examples > 0) {
        throw Error(ErrorCode::design, {},
                    fmt::format("data.batch is {}, and the run trains on {} examples: no step is "
                                "full",
                                settings.batch, examples),
                    fmt::format("set data.batch to {} or less", examples));
    }
    return Batcher({.examples = examples,
                    .batch = settings.batch,
                    .lastBatch = last,
                    .isShuffled = settings.order == "shuffled",
                    .seed = seed});
}

Batcher evaluationBatcher(const DataSettings& settings, std::int64_t examples, LastBatch last) {
    return Batcher(
        {.examples = examples, .batch = settings.batch, .lastBatch = last, .isShuffled = false});
}

} // namespace weft
