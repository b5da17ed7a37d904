# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: programs, samples, completions and what a desktop asks for.
include(GNUInstallDirs)

if(WEFT_FUZZ)
    return()
endif()
install(TARGETS weft)
install(FILES "${CMAKE_SOURCE_DIR}/packaging/completions/weft.bash"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME weft)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/projects/" DESTINATION "${CMAKE_INSTALL_DATADIR}/weft/projects")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/LICENSES/" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
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
