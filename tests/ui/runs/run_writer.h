// SPDX-License-Identifier: Apache-2.0
#pragma once
// Writes a run's folder as a run would, event by event, through the engine's own log. Free of Qt.

#include <weft/design.h>
#include <weft/error.h>
#include <weft/timeline.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace weft::test {

class RunWriter {
public:
    /// Attempt 1 makes the folder; later ones go on in it. The run lives until this ends.
    explicit RunWriter(const std::filesystem::path& folder, std::uint32_t attempt = 1,
                       const Design& design = {});
    ~RunWriter();

    using Numbers = std::vector<std::pair<std::string, double>>;
    void step(std::int64_t step, const Numbers& numbers, double epoch = 0, float seconds = 0.01F);
    /// From now on the log says that a metric is another's number again. Before its first value.
    void equate(const std::string& metric, const std::string& other);
    void evaluate(std::int64_t step, const Numbers& numbers);
    /// Times are nanoseconds of the log's clock.
    void spans(const Timeline& timeline);
    void sum(const SpanSite& site, DeviceId device, std::int64_t steps, std::int64_t nanoseconds);
    void message(const std::string& text);
    /// A track of device 0 is in it from now on.
    void stand(const SpanSite& site);
    void pause(bool isPaused, std::int64_t step);
    void checkpoint(std::int64_t step, const std::string& path);
    void tensor(std::int64_t step, const std::string& path);
    void fail(const Error& error, std::int64_t step);
    void finish(std::int64_t step);
    /// All that was put is on disk.
    void flush();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// A step on `devices` devices: `layers` forward spans, as many back, one all-reduce that is half
/// hidden; a microsecond each, from `begin` on.
[[nodiscard]] Timeline sampleStep(std::int64_t step, std::int64_t begin, int devices, int layers);

/// Device 0 is done with "fast" and waits for device 1, which is late with "slow"; then they sum
/// what they have. From 0 on, eleven microseconds.
[[nodiscard]] Timeline lateStep();

/// Where the second of two ranks reads a clock of its own.
struct OtherClock {
    std::int64_t ahead = 0; ///< relative to rank 0's clock; 0: there is one rank
    std::int64_t wrong = 0; ///< how far the measure is from the truth
    std::int64_t error = 0; ///< as it is told
};
/// The step in the logs of one rank, or of two with a device each, as a recorder writes it.
void writeStep(const std::filesystem::path& folder, const Timeline& step, const OtherClock& clock);

} // namespace weft::test
