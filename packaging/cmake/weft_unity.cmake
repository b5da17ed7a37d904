# SPDX-License-Identifier: Apache-2.0
# weft_unity(<target> [<folders...>])
#
# With WEFT_UNITY, sources of the target are compiled together, up to so many, since most of what one
# takes is read and instantiated by the next one as well. Of a target with folders those directly in
# them; sources elsewhere, and those with options of their own, stay alone.
set(weft_unity_batch 32)

function(weft_unity target)
    if(NOT WEFT_UNITY)
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    if(NOT ARGN)
        set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${weft_unity_batch})
        return()
    endif()
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    foreach(folder IN LISTS ARGN)
        set(count 0)
        foreach(source IN LISTS sources)
            cmake_path(GET source PARENT_PATH parent)
            get_source_file_property(options "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
            if(parent STREQUAL "${CMAKE_CURRENT_SOURCE_DIR}/${folder}" AND NOT options)
                math(EXPR group "${count} / ${weft_unity_batch}")
                math(EXPR count "${count} + 1")
                set_source_files_properties("${source}" TARGET_DIRECTORY ${target}
                    PROPERTIES UNITY_GROUP "${folder}/${group}")
            endif()
        endforeach()
    endforeach()
endfunction()
