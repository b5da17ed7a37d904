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
    void setLayer(LayerId layer = {}, std::string name = {});
    /// Sets the group definition that is being read; empty: none.
    void setGroup(std::string group) { group_ = std::move(group); }
    [[nodiscard]] bool isFull() const;
    [[nodiscard]] std::vector<Diagnostic> take();

private:
    std::vector<Diagnostic> list_;
    std::size_t countLeftOut_ = 0; ///< diagnostics beyond the limit
    LayerId layer_;                ///< layer of the next diagnostics
    std::string layerName_;
    std::string group_; ///< group definition that is being read
};

class Section {
public:
    /// `what` names the object in messages: "layer", "training".
    Section(const Json& object, std::string what, Problems& problems);

    /// Returns the field and counts it as known, but keeps it in the rest until `markRead` is
    /// called.
    [[nodiscard]] const Json* find(std::string_view key);
    void markRead(std::string_view key) { takenKeys_.insert(std::string(key)); }
    /// Keeps the field in the rest after all.
    void unmarkRead(std::string_view key) { takenKeys_.erase(std::string(key)); }
    /// Keeps only this part of the field in the rest, since the other parts were understood.
    void keepUnread(std::string_view key, Json rest);
    /// Reports E101: "training: epochs is a text; expected a number".
    void refuse(std::string_view key, std::string_view takes);

    void text(std::string_view key, std::string& to);
    void boolean(std::string_view key, bool& to);
    void integer(std::string_view key, std::int64_t& to, std::int64_t least = 0);
    void real(std::string_view key, double& to);

    /// Returns the JSON text of everything that was not taken, or an empty string. Reports W102 for
    /// unknown keys.
    [[nodiscard]] std::string unreadText();
    [[nodiscard]] Json unreadJson();
    [[nodiscard]] const std::string& what() const { return what_; } ///< names the object
    [[nodiscard]] Problems& problems() { return problems_; }

private:
    const Json& object_; ///< the object as it is in the file
    std::string what_;   ///< name of the object in messages
    Problems& problems_;
    std::vector<std::string> knownKeys_;           ///< keys that this version reads
    std::set<std::string, std::less<>> takenKeys_; ///< keys of fields that were read
    Json remainders_ = Json::object();             ///< unread parts of fields, by key
};

/// Adds a member that is known to be new, without the search through all members that `object[key]`
/// makes.
void append(Json& object, std::string key, Json value);

} // namespace weft
