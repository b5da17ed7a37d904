# SPDX-License-Identifier: Apache-2.0
# Writes the designs of projects/ into a source file, so that the program contains them.
#   cmake -DOUTPUT=<file> "-DDESIGNS=<file;...>" [-DHEADER=<header> -DNAMESPACE=<a::b>]
#       -P templates.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT HEADER)
    set(HEADER designs/templates.h)
    set(NAMESPACE weft)
endif()
set(rows "")
foreach(design IN LISTS DESIGNS)
    cmake_path(GET design PARENT_PATH folder)
    cmake_path(GET folder FILENAME name)
    file(READ "${design}" text)
    # Compilers limit the length of one raw string literal, so it is split.
    string(LENGTH "${text}" length)
    set(pieces "")
    set(at 0)
    while(at LESS length)
        string(SUBSTRING "${text}" ${at} 8000 piece)
        string(APPEND pieces "R\"weft(${piece})weft\"\n")
        math(EXPR at "${at} + 8000")
    endwhile()
    string(APPEND rows "    {\"${name}\",\n${pieces}},\n")
endforeach()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
// Written from projects/ when the program was built.
#include \"@HEADER@\"

namespace @NAMESPACE@ {

std::span<const DesignTemplate> designTemplates() {
    static constexpr DesignTemplate all[] = {
@rows@    };
    return all;
}

} // namespace @NAMESPACE@
")
