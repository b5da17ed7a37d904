// SPDX-License-Identifier: Apache-2.0
#include "remote/line/line_session.h"

#include "base/failure_text.h"
#include "base/text/lenient_json.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// How often a mirror restarts after pieces that did not fit, before that is an error.
constexpr int mostStrange = 3;
/// Largest number of entries of a list.
constexpr std::size_t longestList = 100'000;

Json heldJson(const std::vector<HeldFile>& held) {
    Json list = Json::array();
    for (const HeldFile& one : held) {
        Json& said = list.emplace_back(Json{{"path", one.path}, {"bytes", one.bytes}});
        if (one.version != 0) {
            said["version"] = fmt::format("{:x}", one.version);
            continue;
        }
        said["tail"] = fmt::format("{:x}", one.tail);
        if (one.whole != one.bytes) {
            said["whole"] = one.whole;
        }
    }
    return list;
}

bool isFetch(const Json& asked) { return textAt(asked, "ask") == "fetch"; }

FilePart partFrom(const Packet& packet) {
    return {.path = textAt(packet.head, "path"),
            .offset = static_cast<std::uint64_t>(numberAt(packet.head, "at", 0)),
            .isRestarted = flagAt(packet.head, "anew", false),
            .isReplacing = flagAt(packet.head, "beside", false),
            .isWhole = flagAt(packet.head, "whole", false),
            .isGone = flagAt(packet.head, "gone", false),
            .version = std::strtoull(textAt(packet.head, "version").c_str(), nullptr, 16),
            .bytes = packet.body};
}

} // namespace

Error namingHost(const Error& error, const std::string& host) {
    Where where = error.where();
    where.host = host;
    return {error.code(), std::move(where), error.problem(), error.remedy()};
}

Error refusalFrom(const std::string& text, const std::string& host) {
    return namingHost(failureFrom(text), host);
}

std::future<Json> LineSession::ask(Json head, std::string body) {
    const std::scoped_lock lock(mutex_);
    if (closed_) {
        throw Error(*closed_);
    }
    head["id"] = ++lastId_;
    Question& question = questions_[lastId_];
    question.packet = {std::move(head), std::move(body)};
    return question.answer.get_future();
}

fs::path LineSession::follow(const std::string& run, bool withSpans) {
    fs::path folder = mirrorFolder({host_.name, run});
    const std::scoped_lock lock(mutex_);
    if (copies_.contains(run)) {
        return folder;
    }
    if (auto mirror = Mirror::open(folder, host_.name, run)) {
        copies_.emplace(run, Copy{.mirror = std::move(*mirror), .withSpans = withSpans});
    }
    return folder;
}

void LineSession::leave(const std::string& run) {
    const std::scoped_lock lock(mutex_);
    if (copies_.erase(run) > 0) {
        stopped_.insert(run);
        changed_.notify_all();
    }
}

void LineSession::markIncomplete(const std::string& run) {
    const std::scoped_lock lock(mutex_);
    if (Copy* copy = copyOf(run)) {
        copy->isAsked = false;
        copy->hasAll = false;
    }
}

LineSession::Copy* LineSession::copyOf(const std::string& run) {
    const auto found = copies_.find(run);
    return found == copies_.end() ? nullptr : &found->second;
}

bool LineSession::waitForAll(const std::string& run, std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [&] {
        const Copy* copy = copyOf(run);
        return closed_ || copy == nullptr || copy->hasAll || copy->trouble;
    });
    if (const Copy* copy = copyOf(run); copy != nullptr && copy->trouble) {
        throw Error(*copy->trouble);
    }
    if (closed_) {
        throw Error(*closed_);
    }
    const Copy* copy = copyOf(run);
    return copy == nullptr || copy->hasAll;
}

void LineSession::close(const Error& why) {
    const std::scoped_lock lock(mutex_);
    closed_ = why;
    for (auto& [id, question] : questions_) {
        question.answer.set_exception(std::make_exception_ptr(why));
    }
    questions_.clear();
    changed_.notify_all();
}

void LineSession::begin() {
    const std::scoped_lock lock(mutex_);
    stopped_.clear();
    for (auto& [id, question] : questions_) {
        question.isSent = false;
        question.pages = Json::array();
    }
    for (auto& [run, copy] : copies_) {
        copy.isAsked = false;
        copy.hasAll = false;
    }
}

void LineSession::askForCopies(PacketPipe& pipe) {
    for (auto& [run, copy] : copies_) {
        if (copy.isAsked) {
            continue;
        }
        copy.isAsked = true;
        copy.hasAll = false;
        // The host forgets requested files of a mirror that starts again.
        for (auto& [id, question] : questions_) {
            const Json& asked = question.packet.head;
            question.isSent = question.isSent && !(isFetch(asked) && textAt(asked, "run") == run);
        }
        pipe.send({.head = {{"ask", "follow"},
                            {"id", 0},
                            {"run", run},
                            {"spans", copy.withSpans},
                            {"held", heldJson(copy.mirror.held())}}});
    }
}

void LineSession::send(PacketPipe& pipe) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& run : std::exchange(stopped_, {})) {
        pipe.send({.head = {{"ask", "leave"}, {"id", 0}, {"run", run}}});
    }
    askForCopies(pipe);
    for (auto& [id, question] : questions_) {
        if (!question.isSent) {
            question.isSent = true;
            pipe.send(isFetch(question.packet.head) ? continuingRequest(question.packet)
                                                    : question.packet);
        }
    }
}

/// Returns the request for a file with what has arrived of it.
Packet LineSession::continuingRequest(const Packet& fetch) {
    const std::string run = textAt(fetch.head, "run");
    const std::string path = textAt(fetch.head, "path");
    const Copy* copy = copyOf(run);
    const auto fetched = fetched_.find(run);
    std::optional<HeldFile> held;
    if (copy != nullptr) {
        held = copy->mirror.coming().held(path);
    } else if (fetched != fetched_.end()) {
        held = fetched->second.held(path);
    }
    Packet packet = fetch;
    if (held) {
        packet.head["held"] = heldJson({*held});
    }
    return packet;
}

void LineSession::take(const Packet& packet, PacketPipe& pipe) {
    const std::scoped_lock lock(mutex_);
    if (packet.head.contains("part")) {
        takePart(packet, pipe);
    } else if (packet.head.contains("word")) {
        takeStatus(packet.head);
    } else if (packet.head.contains("trouble")) {
        if (Copy* copy = copyOf(textAt(packet.head, "trouble"))) {
            copy->trouble = refusalFrom(textAt(packet.head, "failure"), host_.name);
        }
    } else {
        takeAnswer(packet.head);
    }
    changed_.notify_all();
}

void LineSession::takePart(const Packet& packet, PacketPipe& pipe) {
    const std::string run = textAt(packet.head, "part");
    Copy* copy = copyOf(run);
    const FilePart part = partFrom(packet);
    if (part.isGone && isFetched(run, part.path)) {
        answerFileRequests(run, part.path,
                           Error(ErrorCode::file, Where{.file = part.path, .host = host_.name},
                                 "the run no longer has this file",
                                 "name a file that the run lists"));
        return;
    }
    if (copy == nullptr) {
        takeFetched(run, part);
        return;
    }
    try {
        copy->mirror.take(part);
        copy->trouble.reset();
        hasReceived_ = true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::format || ++copy->misfits > mostStrange) {
            throw;
        }
        copy->isAsked = false; // request the mirror again from its present end
        askForCopies(pipe);
        return;
    }
    if (part.isWhole) {
        answerFileRequests(run, part.path);
    }
}

/// Takes a piece of a mirror that another process updates.
void LineSession::takeFetched(const std::string& run, const FilePart& part) {
    if (!isFetched(run, part.path)) {
        return; // from an earlier connection
    }
    try {
        const fs::path folder = mirrorFolder({host_.name, run});
        ComingFiles& coming =
            fetched_.try_emplace(run, folder, fmt::format(".{}", ::getpid())).first->second;
        Mirror::takeRequested(folder, coming, part);
        hasReceived_ = true;
        if (part.isWhole) {
            answerFileRequests(run, part.path);
        }
    } catch (const Error& error) {
        answerFileRequests(run, part.path, namingHost(error, host_.name));
    }
}

bool LineSession::isFetched(const std::string& run, const std::string& path) const {
    return std::ranges::any_of(questions_, [&](const auto& one) {
        const Json& asked = one.second.packet.head;
        return isFetch(asked) && textAt(asked, "run") == run && textAt(asked, "path") == path;
    });
}

/// Answers the requests for a file: it has arrived, or has failed for this reason.
void LineSession::answerFileRequests(const std::string& run, const std::string& path,
                                     const std::optional<Error>& why) {
    for (auto at = questions_.begin(); at != questions_.end();) {
        const Json& asked = at->second.packet.head;
        const bool isIt =
            isFetch(asked) && textAt(asked, "run") == run && textAt(asked, "path") == path;
        if (isIt && why) {
            at->second.answer.set_exception(std::make_exception_ptr(*why));
        } else if (isIt) {
            at->second.answer.set_value(Json::object());
        }
        at = isIt ? questions_.erase(at) : std::next(at);
    }
}

void LineSession::takeStatus(const Json& head) {
    Copy* copy = copyOf(textAt(head, "word"));
    if (copy == nullptr) {
        return;
    }
    MirrorStatus word = copy->mirror.status();
    word.state = runStateNamed(textAt(head, "state"));
    word.attempt = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(numberAt(head, "attempt", 0), 0, 1 << 30));
    word.queue = textAt(head, "queue");
    word.cause = textAt(head, "cause");
    word.isUp = true;
    word.why.clear();
    word.since = 0;
    copy->mirror.setStatus(std::move(word));
    copy->hasAll = true;
    copy->misfits = 0;
}

void LineSession::takeAnswer(const Json& head) {
    const std::int64_t page = numberAt(head, "more", 0);
    const std::int64_t id = page != 0 ? page : numberAt(head, "id", 0);
    const std::string refused = textAt(head, "refused");
    const auto found = questions_.find(id);
    if (found == questions_.end()) {
        // No request waits for the answer to `follow`; only the mirror uses it.
        if (Copy* copy = copyOf(textAt(head, "of")); copy != nullptr && !refused.empty()) {
            copy->trouble = refusalFrom(refused, host_.name);
            MirrorStatus word = copy->mirror.status();
            word.state = RunState::lost;
            word.cause = copy->trouble->what();
            word.isUp = true;
            copy->mirror.setStatus(std::move(word));
            copy->mirror.removeIfEmpty();
        }
        return;
    }
    hasReceived_ = true;
    Question& question = found->second;
    const auto list = head.find("list");
    if (list != head.end() && list->is_array() && question.pages.size() < longestList) {
        question.pages.insert(question.pages.end(), list->begin(), list->end());
    }
    if (page != 0) {
        return;
    }
    if (refused.empty() && isFetch(question.packet.head)) {
        return; // the file will follow
    }
    if (!refused.empty()) {
        question.answer.set_exception(std::make_exception_ptr(refusalFrom(refused, host_.name)));
    } else {
        Json answer = head;
        answer["list"] = std::move(question.pages);
        question.answer.set_value(std::move(answer));
    }
    questions_.erase(found);
}

bool LineSession::lose(const std::string& why, std::int64_t since) {
    const std::scoped_lock lock(mutex_);
    for (auto& [run, copy] : copies_) {
        copy.hasAll = false;
        MirrorStatus word = copy.mirror.status();
        if (word.isUp || word.why != why) {
            word.since = word.isUp ? since : word.since;
            word.isUp = false;
            word.why = why;
            try {
                copy.mirror.setStatus(std::move(word));
            } catch (const Error&) {
                continue; // the local disk is full: readers see that no process updates the mirror
            }
        }
    }
    changed_.notify_all();
    return std::exchange(hasReceived_, false);
}

} // namespace weft
