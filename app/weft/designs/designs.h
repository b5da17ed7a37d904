// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads a design for a verb, from a file or from a run's folder, with settings changed on the
// command line.

#include <weft/design.h>
#include <weft/preview.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace weft {

class Verb;

/// Adds the option --devices cpu:0,cpu:1. Each device may be named once.
void addDeviceList(Verb& verb, std::vector<std::string>& devices, const std::string& help);

/// Adds the option --set KEY=VALUE, which may be given several times.
void addSettings(Verb& verb, std::vector<std::string>& settings); ///< adds the option --set

struct DesignRequest {
    std::vector<std::string> settings = {}; ///< KEY=VALUE
    std::vector<std::string> devices = {};  ///< empty: the devices that the design declares
    std::vector<std::string> data = {};     ///< folders that may also hold the data files
    /// The design will run on another host: problems that depend on this machine's devices and
    /// files are not reported.
    bool isForOtherHost = false; ///< not on this machine
    bool isForTraining = true;   ///< false: a missing source of data or loss is not reported
    PreviewPart until = PreviewPart::placed; ///< the last part of the check that is made
};

/// Reads a design for a verb. Throws Error{design} with the first problem that `weft check`
/// reports, or Error{usage} for an unknown setting.
[[nodiscard]] Design readDesign(const std::filesystem::path& file,
                                const DesignRequest& request = {});

/// Returns the preview of a design that was read from `file`: its problems and its layers.
[[nodiscard]] std::shared_ptr<const Preview>
previewOf(const Design& design, const std::filesystem::path& file, const DesignRequest& request);

/// Returns the text that `make` makes of a design; problems that `make` throws name the file too.
[[nodiscard]] std::string explanationOf(const std::filesystem::path& file,
                                        const std::function<std::string(const Design&)>& make);

/// Runs `work`; an Error{design} from it names `file` too.
void namingFile(const std::filesystem::path& file, const std::function<void()>& work);

/// A design file, or the design in a run's folder.
struct DesignPlace {
    std::filesystem::path file; ///< the design file
    std::filesystem::path run;  ///< empty: the design is a file outside a run
};
[[nodiscard]] DesignPlace designAt(const std::filesystem::path& given);

/// Returns the newest checkpoint in a run's folder; throws Error{file} if the folder has none.
[[nodiscard]] std::filesystem::path checkpointOf(const std::filesystem::path& run);

} // namespace weft
