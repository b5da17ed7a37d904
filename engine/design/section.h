// SPDX-License-Identifier: Apache-2.0
#pragma once
// One object of a design file while it is read: typed fields are taken out of it, what is left over
// is the part that survives as `unknown`. A field of the wrong type is reported and left over too:
// nothing a file holds is dropped.

#include "base/json.h"
#include <weft/diagnostics.h>

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Diagnostics of one file, with an end to them.
class Problems {
public:
    void add(Diagnostic diagnostic);
    /// What is said from here on is about this layer; without one: about the design as a whole.
    void about(LayerId layer = {}, std::string name = {});
    /// The group definition that is being read; empty: none.
    void inside(std::string group) { group_ = std::move(group); }
    [[nodiscard]] bool isFull() const;
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    std::vector<Diagnostic> list_;
    std::size_t untold_ = 0;
    LayerId layer_;
    std::string layerName_;
    std::string group_;
};

class Section {
public:
    /// `what` names the object in messages: "layer", "training".
    Section(const Json& object, std::string what, Problems& problems);

    /// The field, counted as known but left over until it is `taken`.
    [[nodiscard]] const Json* find(std::string_view key);
    void taken(std::string_view key) { taken_.insert(std::string(key)); }
    /// Left over after all.
    void leave(std::string_view key) { taken_.erase(std::string(key)); }
    /// The field was understood in part; this stays of it.
    void keep(std::string_view key, Json rest);
    /// E101: "training: epochs is a text; it takes a number"
    void refuse(std::string_view key, std::string_view takes);

    void text(std::string_view key, std::string& to);
    void boolean(std::string_view key, bool& to);
    void integer(std::string_view key, std::int64_t& to, std::int64_t least = 0);
    void real(std::string_view key, double& to);

    /// JSON text of all that was not taken, empty when there is nothing; W102 for keys nobody asked
    /// for.
    [[nodiscard]] std::string rest();
    [[nodiscard]] Json restAsJson();
    [[nodiscard]] const std::string& what() const { return what_; }
    [[nodiscard]] Problems& problems() { return problems_; }

private:
    const Json& object_;
    std::string what_;
    Problems& problems_;
    std::vector<std::string> asked_;
    std::set<std::string, std::less<>> taken_;
    Json kept_ = Json::object();
};

/// Adds a member known to be new, without the search through all members that `object[key]` makes.
void append(Json& object, std::string key, Json value);

} // namespace weft
