# SPDX-License-Identifier: Apache-2.0
# weft_list(<target> <ListType> NAMESPACE <a::b> HEADER <header> [FOLDER <folder>] <words...>)
#
# Compiles <word>.cpp (or <word>.cu) of the folder, the calling one if none is named, into <target> and writes, in the build
# tree, `void fill(<ListType>& list)` in that namespace: it calls `void <word>(<ListType>&)` of every
# file in the order of the words. <HEADER> is what declares <ListType>. The list is what one reads;
# there are no static initialisers (linkers drop them from static libraries, their order is luck).
# A word may lie in a subfolder: `unary/relu` compiles unary/relu.cpp and calls `relu`.
function(weft_list target type)
    cmake_parse_arguments(PARSE_ARGV 2 list "" "NAMESPACE;HEADER;FOLDER" "")
    set(words ${list_UNPARSED_ARGUMENTS})
    if(NOT list_FOLDER)
        set(list_FOLDER "${CMAKE_CURRENT_SOURCE_DIR}")
    endif()
    if(NOT list_NAMESPACE OR NOT list_HEADER)
        message(FATAL_ERROR "weft_list(${target} ${type}): needs NAMESPACE and HEADER")
    endif()
    set(unique ${words})
    list(REMOVE_DUPLICATES unique)
    if(NOT unique STREQUAL words)
        message(FATAL_ERROR "weft_list(${target} ${type}): a word stands twice in: ${words}")
    endif()

    set(declarations "")
    set(calls "")
    foreach(word IN LISTS words)
        if(EXISTS "${list_FOLDER}/${word}.cpp")
            target_sources(${target} PRIVATE "${list_FOLDER}/${word}.cpp")
        elseif(EXISTS "${list_FOLDER}/${word}.cu")
            target_sources(${target} PRIVATE "${list_FOLDER}/${word}.cu")
        else()
            message(FATAL_ERROR
                "weft_list(${target} ${type}): no ${word}.cpp in ${list_FOLDER}: "
                "write the file or take the word out")
        endif()
        cmake_path(GET word FILENAME entry)
        string(APPEND declarations "void ${entry}(${type}&);\n")
        string(APPEND calls "    ${entry}(list);\n")
    endforeach()

    string(REGEX REPLACE "([a-z])([A-Z])" "\\1_\\2" file "${type}")
    string(TOLOWER "${file}" file)
    set(generated "${CMAKE_CURRENT_BINARY_DIR}/fill_${file}.cpp")
    file(CONFIGURE OUTPUT "${generated}" @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
#include \"@list_HEADER@\"

namespace @list_NAMESPACE@ {

@declarations@
void fill(@type@& list);

void fill([[maybe_unused]] @type@& list) {
@calls@}

} // namespace @list_NAMESPACE@
")
    target_sources(${target} PRIVATE "${generated}")
endfunction()
