// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cudnn/cudnn_ways.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

namespace weft::cuda::cudnn {

namespace {

std::vector<cudnnBackendDescriptor_t> rawOf(const std::vector<Descriptor>& descriptors) {
    std::vector<cudnnBackendDescriptor_t> raw;
    raw.reserve(descriptors.size());
    std::ranges::transform(descriptors, std::back_inserter(raw), &Descriptor::get);
    return raw;
}

/// Returns at most `most` descriptors of an attribute; for some attributes the library's count is
/// limited by the space given.
std::vector<Descriptor> askAll(const Descriptor& of, cudnnBackendAttributeName_t name,
                               cudnnBackendDescriptorType_t type, std::size_t most) {
    std::vector<Descriptor> found;
    found.reserve(most);
    for (std::size_t k = 0; k < most; ++k) {
        found.emplace_back(type);
    }
    std::vector<cudnnBackendDescriptor_t> raw = rawOf(found);
    const std::int64_t count =
        of.ask(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::span<cudnnBackendDescriptor_t>(raw));
    while (std::cmp_greater(found.size(), count)) {
        found.pop_back();
    }
    return found;
}

Descriptor engineOf(const Descriptor& way) {
    return std::move(
        askAll(way, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1).front());
}

std::int64_t numberOf(const Descriptor& engine) {
    return engine.ask<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64);
}

/// True if a property list of the engine contains a match.
template <class Note, std::size_t most, class IsSuch>
bool isNoted(const Descriptor& engine, cudnnBackendAttributeName_t name,
             cudnnBackendAttributeType_t type, IsSuch&& isSuch) {
    std::array<Note, most> notes{};
    const std::int64_t count = engine.ask(name, type, std::span<Note>(notes));
    return std::any_of(notes.begin(), notes.begin() + count, isSuch);
}

template <class IsSuch>
bool isNumericallyNoted(const Descriptor& engine, IsSuch&& isSuch) {
    return isNoted<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT>(
        engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
        std::forward<IsSuch>(isSuch));
}

/// A knob and its value.
using Knob = std::pair<int, std::int64_t>;

std::vector<Knob> knobsOf(const Descriptor& way) {
    std::vector<Knob> knobs;
    for (const Descriptor& knob :
         askAll(way, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR,
                CUDNN_KNOB_TYPE_COUNTS)) {
        knobs.emplace_back(
            knob.ask<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                             CUDNN_TYPE_KNOB_TYPE),
            knob.ask<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64));
    }
    std::ranges::sort(knobs);
    return knobs;
}

/// Parses a number at the beginning of a text and removes it.
template <class Number>
bool takeNumber(std::string_view& text, Number& number) {
    const auto [behind, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
    return fault == std::errc();
}

bool takeWord(std::string_view& text, std::string_view word) {
    const bool begins = text.starts_with(word);
    text.remove_prefix(begins ? word.size() : 0);
    return begins;
}

struct WayName {
    std::int64_t engine = 0;
    std::vector<Knob> knobs = {};
};

/// Parses a name of engineConfigName().
std::optional<WayName> parsed(std::string_view name) {
    WayName way;
    if (!takeWord(name, "engine ") || !takeNumber(name, way.engine)) {
        return std::nullopt;
    }
    bool isWhole = name.empty() || takeWord(name, ", ");
    while (isWhole && !name.empty()) {
        Knob& knob = way.knobs.emplace_back();
        isWhole = takeNumber(name, knob.first) && takeWord(name, "=") &&
                  takeNumber(name, knob.second) && (name.empty() || takeWord(name, " "));
    }
    return isWhole ? std::optional(std::move(way)) : std::nullopt;
}

Descriptor engineNumbered(const Descriptor& graph, const Descriptor& chip, std::int64_t number) {
    Descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph);
    engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, number);
    engine.set(CUDNN_ATTR_ENGINE_DEVICEPROP, chip);
    engine.finalize("setting up an engine");
    return engine;
}

} // namespace

std::vector<Descriptor> engineConfigsFor(const Descriptor& graph, const Descriptor& chip,
                                         cudnnBackendHeurMode_t mode) {
    try {
        Descriptor asked(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
        asked.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
        asked.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
        asked.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, chip);
        asked.finalize("listing the engines for a convolution");
        const std::int64_t count =
            asked.ask(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                      std::span<cudnnBackendDescriptor_t>{});
        return askAll(asked, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                      static_cast<std::size_t>(count));
    } catch (const Error&) {
        return {}; // not expressible in the library
    }
}

std::string engineConfigName(const Descriptor& way) {
    std::string name = fmt::format("engine {}", numberOf(engineOf(way)));
    const char* before = ", ";
    for (const auto& [knob, value] : knobsOf(way)) {
        name += fmt::format("{}{}={}", std::exchange(before, " "), knob, value);
    }
    return name;
}

std::optional<NamedEngineConfig> engineConfigNamed(const Descriptor& graph, const Descriptor& chip,
                                                   const std::string& name) {
    const std::optional<WayName> wanted = parsed(name);
    if (!wanted) {
        return std::nullopt;
    }
    try {
        std::vector<Descriptor> parts;
        for (const auto& [knob, value] : wanted->knobs) {
            Descriptor& choice = parts.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
            choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE,
                       static_cast<cudnnBackendKnobType_t>(knob));
            choice.set(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, value);
            choice.finalize("setting a knob of an engine");
        }
        const std::vector<cudnnBackendDescriptor_t> knobs = rawOf(parts);
        parts.push_back(engineNumbered(graph, chip, wanted->engine));
        Descriptor way(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
        way.set(CUDNN_ATTR_ENGINECFG_ENGINE, parts.back());
        if (!knobs.empty()) {
            way.set(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                    std::span<const cudnnBackendDescriptor_t>(knobs));
        }
        way.finalize("configuring an engine for a convolution");
        return NamedEngineConfig{std::move(parts), std::move(way)};
    } catch (const Error&) {
        return std::nullopt;
    }
}

bool isAllowed(const Descriptor& way, Precision precision) {
    const Descriptor engine = engineOf(way);
    const auto isInexact = [precision](cudnnBackendNumericalNote_t note) {
        switch (note) {
        case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION: return true;
        case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
        case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS: return precision == Precision::exact;
        default: return false;
        }
    };
    const auto isCompiled = [](cudnnBackendBehaviorNote_t note) {
        return note == CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION;
    };
    return !isNumericallyNoted(engine, isInexact) &&
           !isNoted<cudnnBackendBehaviorNote_t, CUDNN_BEHAVIOR_NOTE_TYPE_COUNT>(
               engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, isCompiled);
}

bool usesTensorCores(const Descriptor& way) {
    return isNumericallyNoted(engineOf(way), [](cudnnBackendNumericalNote_t note) {
        return note == CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
    });
}

int engineNumber(const Descriptor& way) { return static_cast<int>(numberOf(engineOf(way))); }

bool isFallbackEngine(const Descriptor& way) { return engineNumber(way) == 0; }

} // namespace weft::cuda::cudnn
