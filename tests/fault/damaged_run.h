// SPDX-License-Identifier: Apache-2.0
#pragma once
// A run directory some of whose files are cut, flipped, gone, or something else than a file: what
// crashes, disks and people leave. Every draw comes from the generator that is given.

#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace weft::test {

/// Makes a run of two attempts in the folder through the program, with checkpoints, spans, tensors,
/// a second rank's log and everything else that a run directory may hold. Empty, or what went
/// wrong.
[[nodiscard]] std::string makeWholeRun(const std::filesystem::path& run);
/// Makes the folder the copy of a run on another host.
void makeMirror(const std::filesystem::path& run);

class DamagedRun {
public:
    /// `place`: the folder that becomes a copy of `whole`, and is damaged.
    DamagedRun(std::filesystem::path whole, std::filesystem::path place);

    /// Damages up to three files or folders; returns what was done to which.
    std::string damage(std::mt19937_64& draw);
    /// Makes what was damaged whole again.
    void restore();
    /// Forgets what is there and copies all anew: after something has written to it.
    void renew();

    [[nodiscard]] const std::filesystem::path& path() const { return place_; }

private:
    std::string damageOne(const std::filesystem::path& name, std::mt19937_64& draw);

    std::filesystem::path whole_;
    std::filesystem::path place_;
    std::vector<std::filesystem::path> names_; ///< files and folders, relative to the run
    std::vector<std::filesystem::path> damaged_;
};

} // namespace weft::test
