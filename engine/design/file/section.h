// SPDX-License-Identifier: Apache-2.0
#pragma once
// One object of a design file while it is read. Typed fields are taken from it; the rest is kept as
// `unknown`. A field of the wrong type is reported and kept as well, so that nothing in a file is
// lost.

#include "base/text/json.h"
#include <weft/diagnostics.h>

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A limited number of diagnostics of one file.
class Problems {
public:
    void add(Diagnostic diagnostic);
    /// Sets the layer of the following diagnostics; without a layer they are about the whole
    /// design.
    void about(LayerId layer = {}, std::string name = {});
    /// Sets the group definition that is being read; empty: none.
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

    /// Returns the field and counts it as known, but keeps it in the rest until `taken` is called.
    [[nodiscard]] const Json* find(std::string_view key);
    void taken(std::string_view key) { taken_.insert(std::string(key)); }
    /// Keeps the field in the rest after all.
    void leave(std::string_view key) { taken_.erase(std::string(key)); }
    /// Keeps only this part of the field in the rest, since the other parts were understood.
    void keep(std::string_view key, Json rest);
    /// Reports E101: "training: epochs is a text; expected a number".
    void refuse(std::string_view key, std::string_view takes);

    void text(std::string_view key, std::string& to);
    void boolean(std::string_view key, bool& to);
    void integer(std::string_view key, std::int64_t& to, std::int64_t least = 0);
    void real(std::string_view key, double& to);

    /// Returns the JSON text of everything that was not taken, or an empty string. Reports W102 for
    /// unknown keys.
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

/// Adds a member that is known to be new, without the search through all members that `object[key]`
/// makes.
void append(Json& object, std::string key, Json value);

} // namespace weft
