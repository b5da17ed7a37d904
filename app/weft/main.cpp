// SPDX-License-Identifier: Apache-2.0
// The program: reads the arguments and hands them to one subcommand.

#include <CLI/CLI.hpp>

int main(int argc, char** argv) {
    CLI::App app{"Weft trains networks spread over devices, the way their design says.", "weft"};
    app.set_version_flag("--version", "weft " WEFT_VERSION);
    app.require_subcommand(0);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return 0;
}
