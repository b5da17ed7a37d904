// SPDX-License-Identifier: Apache-2.0
#include "remote/line/line_command.h"

#include "base/process/environment.h"
#include "exchange/quoting.h"
#include "remote/query_program.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Splits a command by the rules of a shell without expansions.
class WordReader {
public:
    explicit WordReader(const Host& host) : host_(host.name), text_(host.via) {}

    std::vector<std::string> read() {
        while (at_ < text_.size()) {
            if (text_[at_] == ' ' || text_[at_] == '\t') {
                ++at_;
            } else {
                words_.push_back(readWord());
            }
        }
        if (words_.empty() || words_.front().empty()) {
            refuse("no program", "name a program that runs a shell command: --via 'ssh NAME'");
        }
        return std::move(words_);
    }

private:
    std::string readWord() {
        std::string word;
        for (bool isFirst = true; at_ < text_.size(); isFirst = false) {
            const char packet = text_[at_];
            if (packet == ' ' || packet == '\t') {
                break;
            }
            ++at_;
            if (packet == '\'') {
                readUpTo('\'', "", word);
            } else if (packet == '"') {
                readUpTo('"', "$`", word);
            } else if (packet == '\\') {
                word += letterBehindBackslash();
            } else {
                refuseWhereIn(isFirst ? "$`;|&<>()~#" : "$`;|&<>()", packet);
                word += packet;
            }
        }
        return word;
    }

    /// In double quotes a backslash escapes only some characters.
    void readUpTo(char quote, std::string_view forAShell, std::string& word) {
        constexpr std::string_view escaped = "\\\"$`";
        while (at_ < text_.size() && text_[at_] != quote) {
            const bool escapes = quote == '"' && text_[at_] == '\\' && at_ + 1 < text_.size() &&
                                 escaped.find(text_[at_ + 1]) != std::string_view::npos;
            at_ += escapes ? 1 : 0;
            if (!escapes) {
                refuseWhereIn(forAShell, text_[at_]);
            }
            word += text_[at_++];
        }
        if (at_ == text_.size()) {
            refuse(fmt::format("an unclosed {}", quote), "close the quote");
        }
        ++at_;
    }

    char letterBehindBackslash() {
        if (at_ == text_.size()) {
            refuse("nothing after its last backslash", "remove the backslash, or write two");
        }
        return text_[at_++];
    }

    void refuseWhereIn(std::string_view packets, char packet) const {
        if (packets.find(packet) != std::string_view::npos ||
            static_cast<unsigned char>(packet) < 0x20) {
            refuse(fmt::format("the character '{}', but no shell interprets it", packet),
                   "write the expanded text, or put the character in single quotes");
        }
    }

    [[noreturn]] void refuse(const std::string& what, std::string remedy) const {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{}: the command \"{}\" has {}", host_, text_, what),
                    std::move(remedy));
    }

    const std::string& host_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::string> words_;
};

bool isOfSsh(const std::vector<std::string>& words) {
    return fs::path(words.front()).filename() == "ssh";
}

/// Returns the first word from `at` on that is neither an option of ssh nor the value of one.
std::size_t behindOptions(const std::vector<std::string>& words, std::size_t at) {
    constexpr std::string_view takeAValue = "BbcDEeFIiJLlmOoPpQRSWw";
    while (at < words.size() && words[at].size() > 1 && words[at].front() == '-' &&
           words[at] != "--") {
        const std::string_view packets = std::string_view(words[at]).substr(1);
        const std::size_t value = packets.find_first_of(takeAValue);
        at += value + 1 == packets.size() ? 2 : 1;
    }
    return std::min(at, words.size());
}

/// Positions in an ssh command.
struct SshPlaces {
    /// Where to add options: after the user's, since ssh uses the first value of each.
    std::size_t options = 0;
    std::size_t command = 0; ///< where the remote command begins
};

/// Options may also follow the destination, but only if no "--" precedes it.
SshPlaces placesIn(const std::vector<std::string>& words) {
    const std::size_t first = behindOptions(words, 1);
    const bool isMarked = first < words.size() && words[first] == "--";
    if (isMarked) {
        return {first, std::min(first + 2, words.size())};
    }
    const std::size_t behind = behindOptions(words, std::min(first + 1, words.size()));
    return {behind, behind};
}

std::vector<std::string> withOptions(std::vector<std::string> words, std::size_t at,
                                     const std::vector<std::string>& options) {
    words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), options.begin(), options.end());
    return words;
}

/// True if only the user has access to the folder, which is created if it is missing.
bool isPrivateFolder(const fs::path& folder) {
    ::mkdir(folder.c_str(), 0700);
    struct stat facts {};
    return ::lstat(folder.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode) &&
           facts.st_uid == ::geteuid() && (facts.st_mode & 0077U) == 0;
}

/// Returns the folder for sockets of shared connections; empty if there is no safe one.
fs::path socketFolder() {
    // A socket's path has at most 107 bytes: ssh adds a hash of 40 and, while it creates one, 17
    // more.
    constexpr std::size_t longest = 107 - 1 - 40 - 17;
    // Characters without a meaning to ssh.
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
    for (const fs::path& folder : {fs::path(fromEnvironment("XDG_RUNTIME_DIR")) / "weft",
                                   fs::path(fmt::format("/tmp/weft-{}", ::geteuid()))}) {
        const std::string name = folder.string();
        if (folder.is_absolute() && name.size() <= longest &&
            name.find_first_not_of(plain) == std::string::npos && isPrivateFolder(folder)) {
            return folder;
        }
    }
    return {};
}

std::vector<std::string> connectionOptions(bool mayAsk) {
    std::vector<std::string> settings{
        "ConnectTimeout=15", "ServerAliveInterval=5", "ServerAliveCountMax=3",
        // Overrides configuration that is meant for interactive sessions.
        "RequestTTY=no", "RemoteCommand=none", "ClearAllForwardings=yes"};
    if (!mayAsk) {
        settings.emplace_back("BatchMode=yes");
    }
    if (const fs::path folder = socketFolder(); !folder.empty()) {
        settings.emplace_back("ControlMaster=auto");
        settings.push_back("ControlPath=" + (folder / "%C").string());
        settings.emplace_back("ControlPersist=600");
    }
    std::vector<std::string> options;
    for (std::string& setting : settings) {
        options.emplace_back("-o");
        options.push_back(std::move(setting));
    }
    return options;
}

} // namespace

std::vector<std::string> viaWords(const Host& host) { return WordReader(host).read(); }

std::vector<std::string> lineCommand(const Host& host, const std::string& line, bool mayAsk) {
    std::vector<std::string> words = viaWords(host);
    if (!isOfSsh(words)) {
        words.push_back(line);
        return words;
    }
    const SshPlaces places = placesIn(words);
    // If the user's command already contains a remote command, that command gets the line as one
    // word.
    const bool hasCommand =
        std::any_of(words.begin() + static_cast<std::ptrdiff_t>(places.command), words.end(),
                    [](const std::string& word) { return word != "--"; });
    words = withOptions(std::move(words), places.options, connectionOptions(mayAsk));
    words.push_back(hasCommand ? shellWord(line) : line);
    return words;
}

std::string answerLine(const Host& host) {
    const std::string_view program = host.program;
    return "exec " +
           (program.starts_with("~/") ? "\"$HOME\"/" + shellWord(program.substr(2))
                                      : shellWord(program)) +
           " answer";
}

bool closeConnection(const Host& host) {
    std::vector<std::string> words = viaWords(host);
    if (!isOfSsh(words)) {
        return false;
    }
    const SshPlaces places = placesIn(words);
    words.resize(places.command);
    std::vector<std::string> options = connectionOptions(false);
    options.insert(options.end(), {"-O", "exit"});
    words = withOptions(std::move(words), places.options, options);
    return answerOf({.words = std::move(words)}).isFine();
}

} // namespace weft
