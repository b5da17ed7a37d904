// SPDX-License-Identifier: Apache-2.0
// mutate <mutations> <source folder> <target folder> <file>
// Copies one source of backends/cuda and plants its faults into the copy, each of which is in force
// when simt::mutation has its number.

#include "mutations.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

int main(int argc, char** argv) {
    if (argc != 5) {
        std::cerr << "mutate <mutations> <source folder> <target folder> <file>\n";
        return 2;
    }
    try {
        const std::string file = argv[4];
        const std::string text = weft::test::textOf(std::string(argv[2]) + "/" + file);
        const std::filesystem::path target = std::filesystem::path(argv[3]) / file;
        std::filesystem::create_directories(target.parent_path());
        std::ofstream(target) << weft::test::planted(text, target.filename().string(),
                                                     weft::test::readMutations(argv[1]));
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
