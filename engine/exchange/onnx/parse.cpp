// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/parse.h"

#include "base/files/files.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/wire_format_lite.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace weft::onnx {

namespace fs = std::filesystem;
namespace pb = google::protobuf;

namespace {

[[noreturn]] void fail(const fs::path& file, const std::string& problem,
                       const std::string& remedy) {
    throw Error(ErrorCode::format, Where{.file = file.string()}, problem, remedy);
}

/// Adds the number of messages and strings inside a message to `parts`, up to `mostParts`. Returns
/// false if the message is damaged. The recursion ends, because no message type contains itself.
bool countParts(pb::io::CodedInputStream& coded, const pb::Descriptor& type, std::size_t& parts) {
    using Wire = pb::internal::WireFormatLite;
    while (const std::uint32_t tag = coded.ReadTag()) {
        const Wire::WireType wire = Wire::GetTagWireType(tag);
        if (wire != Wire::WIRETYPE_LENGTH_DELIMITED) {
            if (wire == Wire::WIRETYPE_START_GROUP || !Wire::SkipField(&coded, tag)) {
                return false; // a protobuf group, which ONNX does not use
            }
            continue;
        }
        if (++parts > mostParts) {
            return true;
        }
        int length = 0;
        if (!coded.ReadVarintSizeAsInt(&length)) {
            return false;
        }
        const pb::FieldDescriptor* field = type.FindFieldByNumber(Wire::GetTagFieldNumber(tag));
        if (field == nullptr || field->type() != pb::FieldDescriptor::TYPE_MESSAGE) {
            if (!coded.Skip(length)) {
                return false;
            }
            continue;
        }
        const auto outer = coded.PushLimit(length);
        if (!countParts(coded, *field->message_type(), parts)) {
            return false;
        }
        if (parts > mostParts) {
            return true;
        }
        coded.PopLimit(outer);
    }
    return coded.ConsumedEntireMessage();
}

} // namespace

void parseFile(const fs::path& file, pb::Message& message, const char* kind) {
    const FileHandle handle(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat known {};
    if (!handle.isOpen() || ::fstat(handle.get(), &known) != 0) {
        throwFileError(file, "read", errno);
    }
    if (!S_ISREG(known.st_mode)) {
        throw Error(ErrorCode::file, Where{.file = file.string()}, "is not a regular file",
                    fmt::format("name {}", kind));
    }
    if (known.st_size > std::numeric_limits<int>::max()) {
        fail(file, "is larger than 2 GB, the most that a protobuf message can have",
             "export the model with its weights as external data");
    }
    const auto read = [&](const auto& how) {
        if (::lseek(handle.get(), 0, SEEK_SET) != 0) {
            throwFileError(file, "read", errno);
        }
        pb::io::FileInputStream stream(handle.get());
        pb::io::CodedInputStream coded(&stream);
        coded.SetRecursionLimit(32);
        if (known.st_size == 0 || !how(coded)) {
            fail(
                file,
                fmt::format("is not {}, or is damaged near byte {}", kind, coded.CurrentPosition()),
                "copy or export it again");
        }
    };
    std::size_t parts = 0;
    read([&](auto& coded) { return countParts(coded, *message.GetDescriptor(), parts); });
    if (parts > mostParts) {
        fail(file, fmt::format("has more than {} messages and texts, too many to read", mostParts),
             "export a smaller part of the model");
    }
    read([&](auto& coded) {
        return message.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
    });
}

} // namespace weft::onnx
