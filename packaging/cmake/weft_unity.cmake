# SPDX-License-Identifier: Apache-2.0
# weft_unity(<target> [<folders...>])
#
# With WEFT_UNITY, sources of the target are compiled together, up to so many, since most of what one
# takes is read and instantiated by the next one as well. With folders, only the sources in and below
# them are; those below a folder named with a "!", and those with options of their own, stay alone.
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
    foreach(source IN LISTS sources)
        get_source_file_property(options "${source}" TARGET_DIRECTORY ${target} COMPILE_OPTIONS)
        cmake_path(IS_PREFIX CMAKE_CURRENT_SOURCE_DIR "${source}" NORMALIZE is_inside)
        if(options OR NOT is_inside)
            continue()
        endif()
        # The nearest folder around it that is named.
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE folder)
        cmake_path(GET folder PARENT_PATH folder)
        while(folder AND NOT folder IN_LIST ARGN AND NOT "!${folder}" IN_LIST ARGN)
            cmake_path(GET folder PARENT_PATH folder)
        endwhile()
        if(folder IN_LIST ARGN)
            if(NOT DEFINED "count_${folder}")
                set("count_${folder}" 0)
            endif()
            math(EXPR group "${count_${folder}} / ${weft_unity_batch}")
            math(EXPR "count_${folder}" "${count_${folder}} + 1")
            set_source_files_properties("${source}" TARGET_DIRECTORY ${target}
                PROPERTIES UNITY_GROUP "${folder}/${group}")
        endif()
    endforeach()
endfunction()
