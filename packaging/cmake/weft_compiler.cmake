# SPDX-License-Identifier: Apache-2.0
# The language, the warnings, the sanitizers and ccache: what holds for every target alike.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# usage: weft_cxx_options(<option>...)   for sources of C++ alone: nvcc knows few of them
function(weft_cxx_options)
    foreach(option IN LISTS ARGN)
        set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY COMPILE_OPTIONS
            "$<$<COMPILE_LANGUAGE:CXX>:${option}>")
    endforeach()
endfunction()

# Fields left out of a designated initialiser have defaults on purpose.
weft_cxx_options(-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual
    -Wno-missing-field-initializers)
# Behind a precompiled header, and wherever it unrolls, GCC 12 takes its own std::string for ours and
# reports bounds overstepped that are not.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    weft_cxx_options(-Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
    # It collects its garbage an eighth of the time, and by its end would have needed little more.
    weft_cxx_options(--param=ggc-min-heapsize=1048576)
endif()

# A source that is included by another looks like a header, whose types others might see.
if(WEFT_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    weft_cxx_options(-Wno-subobject-linkage)
endif()

if(WEFT_SANITIZE)
    weft_cxx_options("-fsanitize=${WEFT_SANITIZE}" -fno-omit-frame-pointer
        -fno-sanitize-recover=all)
    # Left out: what the address sanitizer sees as well, or what harms nobody here, at a third of the
    # time to compile. Fuzzing leaves nothing out.
    if(WEFT_SANITIZE MATCHES "undefined" AND NOT WEFT_FUZZ)
        weft_cxx_options(-fno-sanitize=null,vptr,object-size,alignment,pointer-overflow
            -fno-sanitize=nonnull-attribute,returns-nonnull-attribute)
    endif()
    add_link_options("-fsanitize=${WEFT_SANITIZE}")
endif()

# What makes the linker see every call: none is inlined, none goes to a copy, and each function has a
# section that it can drop.
set(weft_calls_as_written -fno-inline -fno-partial-inlining -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf
    -fkeep-static-functions -ffunction-sections -fdata-sections)
set(weft_drop_what_none_reaches LINKER:--gc-sections)
if(WEFT_CALLS_AS_WRITTEN)
    weft_cxx_options(${weft_calls_as_written})
    add_link_options(${weft_drop_what_none_reaches})
endif()

find_program(WEFT_CCACHE ccache)
mark_as_advanced(WEFT_CCACHE)
if(WEFT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${WEFT_CCACHE}")
endif()

# Several test executables link one engine: a fast linker is felt.
find_program(WEFT_LLD ld.lld)
mark_as_advanced(WEFT_LLD)
if(WEFT_LLD)
    add_link_options(-fuse-ld=lld)
endif()
