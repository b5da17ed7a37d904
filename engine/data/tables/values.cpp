// SPDX-License-Identifier: Apache-2.0
#include "data/tables/values.h"

#include "data/offered_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

namespace weft {

namespace {

constexpr std::array<std::string_view, 6> missingWords{"na", "n/a", "nan", "null", "none", "?"};

bool isNumber(const std::string& word) { return parseNumber(word).has_value(); }

} // namespace

std::optional<float> parseNumber(std::string_view field) {
    if (field.starts_with('+')) {
        field.remove_prefix(1);
        if (field.starts_with('-')) {
            return std::nullopt;
        }
    }
    double number = 0;
    const char* last = field.data() + field.size();
    const auto [end, error] = std::from_chars(field.data(), last, number);
    const auto single = static_cast<float>(number);
    if (field.empty() || end != last || error != std::errc{} || !std::isfinite(single)) {
        return std::nullopt;
    }
    return single;
}

bool isMissing(std::string_view field) {
    return field.empty() || std::ranges::any_of(missingWords, [&](std::string_view word) {
               return word.size() == field.size() && endsWith(field, word);
           });
}

std::string quoteShortened(std::string_view field) {
    constexpr std::size_t longest = 40;
    std::string shown = "'";
    shown += field.substr(0, longest);
    return shown + (field.size() > longest ? "...'" : "'");
}

ClassWords::ClassWords(std::vector<std::string> given)
    : names_(std::move(given)), isClosed_(!names_.empty()) {
    for (const std::string& name : names_) {
        ids_.emplace(name, static_cast<std::int32_t>(ids_.size()));
    }
}

std::optional<std::int32_t> ClassWords::idOf(const std::string& word) {
    if (const auto found = ids_.find(word); found != ids_.end()) {
        return found->second;
    }
    if (isClosed_ || names_.size() == most) {
        return std::nullopt;
    }
    const auto id = static_cast<std::int32_t>(names_.size());
    names_.push_back(word);
    ids_.emplace(word, id);
    return id;
}

void ClassWords::close(std::vector<std::int32_t>& ids) {
    if (std::exchange(isClosed_, true)) {
        return;
    }
    std::vector<std::size_t> order(names_.size());
    std::iota(order.begin(), order.end(), 0);
    const bool areNumbers = std::ranges::all_of(names_, isNumber);
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        if (areNumbers && *parseNumber(names_[a]) != *parseNumber(names_[b])) {
            return *parseNumber(names_[a]) < *parseNumber(names_[b]);
        }
        return names_[a] < names_[b];
    });
    std::vector<std::int32_t> classes(order.size());
    std::vector<std::string> sorted;
    for (std::size_t k = 0; k < order.size(); ++k) {
        classes[order[k]] = static_cast<std::int32_t>(k);
        ids_[names_[order[k]]] = static_cast<std::int32_t>(k);
        sorted.push_back(std::move(names_[order[k]]));
    }
    names_ = std::move(sorted);
    for (std::int32_t& id : ids) {
        id = classes[static_cast<std::size_t>(id)];
    }
}

} // namespace weft
