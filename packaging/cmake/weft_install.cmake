# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: programs, samples, completions, sources and what a desktop asks for.
include(GNUInstallDirs)

if(WEFT_FUZZ)
    return()
endif()
install(TARGETS weft)
install(FILES "${CMAKE_SOURCE_DIR}/packaging/completions/weft.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME weft)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/projects/" DESTINATION "${CMAKE_INSTALL_DATADIR}/weft/projects")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/LICENSES/" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# What an engine is built of on another host; where Weft is built it lies as where it is installed.
set(sources "${CMAKE_INSTALL_DATADIR}/weft/source")
install(DIRECTORY app engine packaging projects LICENSES DESTINATION "${sources}" USE_SOURCE_PERMISSIONS)
install(FILES CMakeLists.txt CMakePresets.json DESTINATION "${sources}")
install(FILES tests/CMakeLists.txt DESTINATION "${sources}/tests")
install(FILES ui/CMakeLists.txt DESTINATION "${sources}/ui")
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/app/share/weft")
file(CREATE_LINK "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/app/share/weft/source" SYMBOLIC)
if(weft_has_widgets)
    set(desktop "${CMAKE_SOURCE_DIR}/packaging/desktop")
    install(TARGETS weft-workbench)
    install(FILES "${CMAKE_SOURCE_DIR}/packaging/completions/weft.bash"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME weft-workbench)
    install(FILES "${desktop}/weft-workbench.desktop"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${desktop}/weft.svg"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
    install(FILES "${desktop}/weft.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
endif()
