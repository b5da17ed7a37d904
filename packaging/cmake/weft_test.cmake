# SPDX-License-Identifier: Apache-2.0
# weft_test(<name> LABELS <labels...> SOURCES <tst_a.cpp ...>
#           [SUPPORT <more sources...>] [LIBRARIES <...>] [TIMEOUT <seconds>] [NEEDS_WEFT]
#           [WITHOUT_ENGINE] [GUI])
#
# One executable test_<name> for the calling folder, with one CTest test per tst_ file, named
# <folder>/<tst_file>. tst_some_unit.cpp holds class TestSomeUnit and ends as support/test_main.h
# says. Labels: house unit contract train io fault mpi gui long. Something skipped and nothing failed
# shows as skipped. For other labels in the same folder, call it again under another name.
# GUI: the tests show widgets.
# NEEDS_WEFT: the tests start the program `weft`, so that it is built first.
# The targets tests_<label> build all executables of a label.
set(weft_test_sanitizer "")
if(WEFT_SANITIZE MATCHES "thread")
    set(weft_test_sanitizer
        ";TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp:die_after_fork=0")
endif()
set(weft_test_labels house unit contract train io fault mpi gui long)
foreach(label IN LISTS weft_test_labels)
    add_custom_target(tests_${label})
endforeach()

function(weft_test name)
    cmake_parse_arguments(PARSE_ARGV 1 test "NEEDS_WEFT;WITHOUT_ENGINE;GUI" "TIMEOUT"
        "LABELS;SOURCES;SUPPORT;LIBRARIES")
    if(test_UNPARSED_ARGUMENTS OR NOT test_LABELS OR NOT test_SOURCES)
        message(FATAL_ERROR "weft_test(${name}): needs LABELS and SOURCES, "
            "and does not know: ${test_UNPARSED_ARGUMENTS}")
    endif()
    foreach(label IN LISTS test_LABELS)
        if(NOT label IN_LIST weft_test_labels)
            message(FATAL_ERROR
                "weft_test(${name}): no label ${label}; there are: ${weft_test_labels}")
        endif()
    endforeach()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 300)
    endif()

    # Several ranks want the machine for themselves. Those that are lost or stuck are waited for
    # most of the time, and leave it to others, but not to their like. What takes long begins early,
    # also where no test has run before.
    set(order RUN_SERIAL OFF)
    if("mpi" IN_LIST test_LABELS)
        set(order RUN_SERIAL ON)
    elseif("fault" IN_LIST test_LABELS)
        set(order RESOURCE_LOCK ranks COST 100)
    elseif("contract" IN_LIST test_LABELS)
        set(order COST 50)
    endif()

    set(target "test_${name}")
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests"
        OUTPUT_VARIABLE folder)
    set(declarations "")
    set(rows "")
    foreach(source IN LISTS test_SOURCES)
        cmake_path(GET source STEM unit)
        if(NOT unit MATCHES "^tst_[a-z0-9_]+$")
            message(FATAL_ERROR "weft_test(${name}): ${source} is not named tst_<unit>.cpp")
        endif()
        weft_test_class(class "${unit}")
        string(APPEND declarations "std::unique_ptr<QObject> make${class}();\n")
        string(APPEND rows "    {\"${class}\", make${class}},\n")
        add_test(NAME "${folder}/${unit}" COMMAND ${target} ${class} -maxwarnings 0)
        set_tests_properties("${folder}/${unit}" PROPERTIES LABELS "${test_LABELS}"
            SKIP_RETURN_CODE 77 TIMEOUT ${test_TIMEOUT}
            ${order}
            ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${test_TIMEOUT}000;QT_QPA_PLATFORM=offscreen${weft_test_sanitizer}")
    endforeach()

    set(application QCoreApplication)
    if(test_GUI)
        set(application QApplication)
    endif()
    set(main "${CMAKE_CURRENT_BINARY_DIR}/${target}_main.cpp")
    file(CONFIGURE OUTPUT "${main}" @ONLY CONTENT
"// SPDX-License-Identifier: Apache-2.0
#include \"support/test_main.h\"

#include <@application@>

@declarations@
int main(int argc, char** argv) {
    const @application@ application(argc, argv);
    const weft::test::TestClass classes[] = {
@rows@    };
    return weft::test::runTests(classes, argc, argv);
}
")
    add_executable(${target} "${main}" ${test_SOURCES} ${test_SUPPORT})
    weft_test_moc(${target} ${test_SOURCES})
    target_link_libraries(${target} PRIVATE weft_test_main ${test_LIBRARIES})
    if(folder MATCHES "^(ui|stories)") # whose Qt is wider, and its headers with it
        target_precompile_headers(${target} REUSE_FROM weft_test_widgets)
    else()
        target_precompile_headers(${target} REUSE_FROM weft_test_main)
    endif()
    if(NOT test_WITHOUT_ENGINE)
        target_link_libraries(${target} PRIVATE weft_test_ranks weft_test_support)
    endif()
    if(test_NEEDS_WEFT)
        add_dependencies(${target} weft)
    endif()
    weft_unity(${target})
    foreach(label IN LISTS test_LABELS)
        add_dependencies(tests_${label} ${target})
    endforeach()
endfunction()

# Each of them ends with the meta-objects of its own class: moc alone makes those in a fraction of
# the time that AUTOMOC takes to look around, target by target.
function(weft_test_moc target)
    foreach(source IN LISTS ARGN)
        cmake_path(GET source STEM unit)
        set(made "${CMAKE_CURRENT_BINARY_DIR}/${target}_moc/${unit}.moc")
        add_custom_command(OUTPUT "${made}"
            COMMAND Qt6::moc -o "${made}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
            DEPENDS "${source}" COMMENT "moc ${unit}" VERBATIM)
        target_sources(${target} PRIVATE "${made}")
    endforeach()
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${target}_moc")
endfunction()

# tst_some_unit -> TestSomeUnit
function(weft_test_class result unit)
    string(REGEX REPLACE "^tst_" "" unit "${unit}")
    string(REPLACE "_" ";" parts "${unit}")
    set(class "Test")
    foreach(part IN LISTS parts)
        string(SUBSTRING "${part}" 0 1 first)
        string(SUBSTRING "${part}" 1 -1 rest)
        string(TOUPPER "${first}" first)
        string(APPEND class "${first}${rest}")
    endforeach()
    set(${result} "${class}" PARENT_SCOPE)
endfunction()
