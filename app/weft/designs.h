// SPDX-License-Identifier: Apache-2.0
#pragma once
// How verbs come to a design: a file, or a run's own, with settings changed from the command line.

#include <weft/design.h>
#include <weft/preview.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace weft {

class Verb;

/// --devices cpu:0,cpu:1, each but once.
void addDeviceList(Verb& verb, std::vector<std::string>& devices, const std::string& help);

/// --set KEY=VALUE, any number of times.
void addSettings(Verb& verb, std::vector<std::string>& settings);

struct DesignRequest {
    std::vector<std::string> settings = {}; ///< KEY=VALUE
    std::vector<std::string> devices = {};  ///< on which it is placed; empty: those it declares
    std::vector<std::string> data = {};     ///< folders in which its files lie too
    /// For another host: whoever knows what that has looks for what is wrong with it there.
    bool isForElsewhere = false;
    PreviewPart until = PreviewPart::placed; ///< what is looked at for problems
};

/// The one way in which a verb comes to a design. Error{design} with the first problem that `weft
/// check` has; Error{usage} for a setting that there is not.
[[nodiscard]] Design readDesign(const std::filesystem::path& file,
                                const DesignRequest& request = {});

/// What is wrong with a design of that file, and its layers.
[[nodiscard]] std::shared_ptr<const Preview>
previewOf(const Design& design, const std::filesystem::path& file, const DesignRequest& request);

/// What `make` makes of a design that it places itself; its problems name the file too.
[[nodiscard]] std::string explained(const std::filesystem::path& file,
                                    const std::function<std::string(const Design&)>& make);

/// Problems of a design that come up in `work` name its file too.
void namingFile(const std::filesystem::path& file, const std::function<void()>& work);

/// A design, or the one that a run was made of.
struct DesignPlace {
    std::filesystem::path file;
    std::filesystem::path run; ///< empty: it is a file of its own
};
[[nodiscard]] DesignPlace designAt(const std::filesystem::path& given);

/// The newest checkpoint in a run's folder; Error{file} when it has none.
[[nodiscard]] std::filesystem::path checkpointOf(const std::filesystem::path& run);

} // namespace weft
