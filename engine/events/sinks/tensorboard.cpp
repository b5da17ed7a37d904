// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "events/sinks/crc32c.h"
#include "events/sinks/growing_file.h"
#include "events/sinks/sink_list.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <optional>

namespace weft::sinks {

namespace {

// The fields of TensorFlow's event.proto and summary.proto for scalars, in protobuf's wire format.
enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, counted = 2, fixed32 = 5 };

template <class T>
void appendLittle(std::string& out, T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        out += static_cast<char>(value >> (8 * i));
    }
}

void appendVarint(std::string& out, std::uint64_t value) {
    for (; value >= 0x80U; value >>= 7U) {
        out += static_cast<char>((value & 0x7fU) | 0x80U);
    }
    out += static_cast<char>(value);
}

void appendKey(std::string& out, std::uint32_t field, Wire wire) {
    appendVarint(out, (field << 3U) | static_cast<std::uint32_t>(wire));
}

void appendCounted(std::string& out, std::uint32_t field, std::string_view bytes) {
    appendKey(out, field, Wire::counted);
    appendVarint(out, bytes.size());
    out += bytes;
}

/// Event { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; }
std::string eventOf(double wallTime, std::int64_t step, std::uint32_t field,
                    std::string_view content) {
    std::string event;
    appendKey(event, 1, Wire::fixed64);
    appendLittle(event, std::bit_cast<std::uint64_t>(wallTime));
    if (step != 0) {
        appendKey(event, 2, Wire::varint);
        appendVarint(event, static_cast<std::uint64_t>(step));
    }
    appendCounted(event, field, content);
    return event;
}

/// Summary { repeated Value value = 1; }, Value { string tag = 1; float simple_value = 2; }
void appendScalar(std::string& summary, std::string_view tag, double number) {
    std::string value;
    appendCounted(value, 1, tag);
    appendKey(value, 2, Wire::fixed32);
    appendLittle(value, std::bit_cast<std::uint32_t>(static_cast<float>(number)));
    appendCounted(summary, 1, value);
}

std::uint32_t masked(std::uint32_t crc) { return std::rotr(crc, 15) + 0xa282ead8U; }

/// A record of a TFRecord file: length, checksum of the length, bytes, checksum of the bytes.
std::string recordOf(std::string_view bytes) {
    std::string record;
    appendLittle(record, static_cast<std::uint64_t>(bytes.size()));
    appendLittle(record, masked(crc32c(record)));
    record += bytes;
    appendLittle(record, masked(crc32c(bytes)));
    return record;
}

/// tensorboard/: one event file per attempt; TensorBoard joins them by step. Each is derived from
/// the log and rewritten when the log is read from the start again.
class TensorBoard final : public RunSink {
public:
    explicit TensorBoard(const std::filesystem::path& folder) : folder_(folder / "tensorboard") {
        makeFolder(folder_);
    }

    void take(const RunReader& reader, const RunNews& news) override {
        std::size_t next = 0;
        for (const StepRecord& record : news.steps) {
            while (next < news.attempts.size() && news.attempts[next].number <= record.attempt) {
                begin(news.attempts[next++]);
            }
            write(record, reader.metrics());
        }
        while (next < news.attempts.size()) {
            begin(news.attempts[next++]);
        }
        if (file_) {
            file_->flush();
        }
    }

    void finish() override {
        if (file_) {
            file_->finish();
        }
    }

private:
    void begin(const Attempt& attempt) {
        finish();
        begun_ = static_cast<double>(attempt.wallClock) * 1e-9;
        const auto second = attempt.wallClock / 1'000'000'000;
        file_.emplace(
            folder_ / fmt::format("events.out.tfevents.{:010}.weft.{}", second, attempt.number), 0);
        file_->append(recordOf(eventOf(begun_, 0, 3, "brain.Event:2")));
    }

    void write(const StepRecord& record, const std::vector<MetricInfo>& metrics) {
        if (!file_ || record.values.empty()) {
            return;
        }
        const std::string_view split = record.split == Split::train ? "train" : "evaluate";
        std::string summary;
        for (const MetricValue& value : record.values) {
            appendScalar(summary, fmt::format("{}/{}", split, metrics[value.metric].name),
                         value.value);
        }
        const double time = begun_ + static_cast<double>(record.time) * 1e-9;
        file_->append(recordOf(eventOf(time, record.step, 5, summary)));
    }

    std::filesystem::path folder_;
    double begun_ = 0;
    std::optional<GrowingFile> file_;
};

} // namespace

void tensorboard(SinkList& list) {
    list.kinds.push_back(
        {{"tensorboard", "writes event files for TensorBoard to tensorboard/"},
         [](const SinkPlace& place) { return std::make_unique<TensorBoard>(place.folder); }});
}

} // namespace weft::sinks
