# SPDX-License-Identifier: Apache-2.0
# Reader and writer of ONNX files: code that protoc generates from model.proto, or a stand-in that says what is missing.
set(onnx "${CMAKE_CURRENT_LIST_DIR}")
target_sources(weft_engine PRIVATE "${onnx}/model.cpp")
if(NOT weft_has_protobuf)
    target_sources(weft_engine PRIVATE "${onnx}/absent_reader.cpp")
    return()
endif()
set(generated "${CMAKE_BINARY_DIR}/onnx")
file(MAKE_DIRECTORY "${generated}")
add_custom_command(OUTPUT "${generated}/model.pb.cc" "${generated}/model.pb.h"
    COMMAND protobuf::protoc "--cpp_out=${generated}" "--proto_path=${onnx}" "${onnx}/model.proto"
    DEPENDS "${onnx}/model.proto" VERBATIM)
# A target of its own, because the code keeps none of our warnings.
add_library(weft_onnx_wire OBJECT "${generated}/model.pb.cc" "${generated}/model.pb.h")
target_include_directories(weft_onnx_wire SYSTEM PUBLIC "${generated}")
target_link_libraries(weft_onnx_wire PUBLIC protobuf::libprotobuf)
target_compile_options(weft_onnx_wire PRIVATE -w)
target_sources(weft_engine PRIVATE "${onnx}/external_data.cpp" "${onnx}/parse.cpp"
    "${onnx}/read_model.cpp" "${onnx}/export/write_model.cpp"
    $<TARGET_OBJECTS:weft_onnx_wire>)
target_include_directories(weft_engine SYSTEM PRIVATE "${generated}")
target_link_libraries(weft_engine PRIVATE protobuf::libprotobuf)
set_source_files_properties("${onnx}/read_model.cpp" "${onnx}/export/write_model.cpp" TARGET_DIRECTORY weft_engine PROPERTIES
    OBJECT_DEPENDS "${generated}/model.pb.h" SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties("${onnx}/parse.cpp" TARGET_DIRECTORY weft_engine PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON)
