// SPDX-License-Identifier: Apache-2.0
#include "remote/install/install_script.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace weft {

namespace {

constexpr std::string_view begin = R"sh(
LC_ALL=C; export LC_ALL; umask 022;
echo "weft:system $(uname -sm)";
need() { command -v "$1" > /dev/null || echo "weft:lacks $2"; };
need tar tar; need gzip gzip; need mktemp coreutils; need readlink coreutils;
)sh";

constexpr std::string_view needCompiler = R"sh(
need c++ build-essential; need cmake cmake; need pkg-config pkg-config;
command -v make > /dev/null || need ninja ninja-build;
)sh";

constexpr std::string_view look = R"sh(
cd && mkdir -p weft/bin && cd weft || exit;
echo "weft:folder $(pwd)";
if [ -e bin/weft ]; then [ -L bin/weft ] || echo weft:foreign; fi;
set -- $(df -Pk . | tail -n 1); echo "weft:free $4";
echo weft:ready;
read -r word && [ "$word" = go ] || exit;
new=$(mktemp -d "$(pwd)/engine-XXXXXX") || exit;
trap "rm -rf \"\$new\"" EXIT;
trap "exit 1" HUP INT TERM PIPE;
chmod 755 "$new";
unpack() {
    said=$(tar xzf - -C "$1" 2>&1) ||
        { printf "%s\n" "$said" | head -n 2 | tr "\n" " " >&2; exit 1; };
};
)sh";

constexpr std::string_view carry = R"sh(
unpack "$new";
)sh";

constexpr std::string_view build = R"sh(
mkdir -p building || exit;
if command -v flock > /dev/null; then
    exec 9> building/lock;
    flock -n 9 || { echo "another build of Weft is running on the host" >&2; exit 1; };
fi;
rm -rf building/source; mkdir -p building/source || exit;
unpack building/source;
cd building;
log=$(pwd)/log.txt; echo "weft:log $log";
fail() { tail -n 15 "$log" | sed "s/^/weft:last /"; echo "$1" >&2; exit 1; };
echo "weft:step configuring on the host";
with=$(command -v ninja > /dev/null && echo Ninja || echo "Unix Makefiles");
(cd source && exec cmake --preset release -G "$with" -B ../build -DWEFT_WITH_QT=OFF) > "$log" 2>&1 ||
    { sed -n "s/^-- weft lacks /weft:lacks /p" "$log"; fail "CMake cannot configure the build"; };
jobs=$(nproc); [ "$jobs" -le 8 ] || jobs=8;
{ nice cmake --build build --target weft -j "$jobs" 2>&1; echo "ended $?"; } | {
    while read -r line; do
        printf "%s\n" "$line" >> "$log";
        case $line in
        "ended 0") exit 0 ;;
        "["*) echo "weft:step building on the host ${line%%]*}]" ;;
        esac;
    done;
    exit 1;
} || fail "the build failed";
cd ..;
cp building/build/app/weft/weft "$new/weft" && ln -s weft "$new/start" || exit;
)sh";

constexpr std::string_view turnTo = R"sh(
said=$("$new/start" --version) || exit;
old=$(readlink bin/weft);
[ -z "$old" ] || touch -c "bin/${old%/*}";
ln -s "../${new##*/}/start" "$new/link" && mv -f "$new/link" bin/weft || exit;
trap - EXIT;
echo "weft:version $said";
find . -maxdepth 1 -name "engine-*" -mtime +14 -exec rm -rf {} +;
exit 0
)sh";

/// Joins the parts to one line without characters that some shell may interpret.
std::string joined(std::initializer_list<std::string_view> parts) {
    std::string line;
    for (const std::string_view part : parts) {
        line += part;
    }
    std::ranges::replace(line, '\n', ' ');
    return line;
}

} // namespace

std::string carryScript() { return joined({begin, look, carry, turnTo}); }

std::string buildScript() { return joined({begin, needCompiler, look, build, turnTo}); }

bool take(std::string_view line, InstallFindings& found) {
    constexpr std::size_t mostListed = 100;
    constexpr std::string_view mark = "weft:";
    if (!line.starts_with(mark)) {
        return false;
    }
    line.remove_prefix(mark.size());
    const std::size_t blank = line.find(' ');
    const std::string_view word = line.substr(0, blank);
    const std::string_view value =
        blank == std::string_view::npos ? std::string_view() : line.substr(blank + 1);
    if (word == "system") {
        found.system = value;
    } else if (word == "lacks" && found.lacks.size() < mostListed) {
        found.lacks.emplace_back(value);
    } else if (word == "folder") {
        found.folder = value;
    } else if (word == "foreign") {
        found.isForeign = true;
    } else if (word == "free") {
        std::int64_t kibibytes = -1;
        std::from_chars(value.data(), value.data() + value.size(), kibibytes);
        constexpr std::int64_t most = INT64_MAX / 1024;
        found.free = kibibytes < 0 || kibibytes > most ? -1 : kibibytes * 1024;
    } else if (word == "ready") {
        found.isReady = true;
    } else if (word == "step") {
        found.step = value;
    } else if (word == "log") {
        found.log = value;
    } else if (word == "last" && found.lastOfLog.size() < mostListed) {
        found.lastOfLog.emplace_back(value);
    } else if (word == "version") {
        found.version = value;
    }
    return true;
}

} // namespace weft
