# What `cmake --install` puts in place: the program, and for other programs the libraries with their headers, so that
# find_package(trtlens) gives trtlens::parsers, trtlens::analyzers and trtlens::report. packaging/example uses them.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(SKBUILD)  # pyproject.toml: the wheel
  install(TARGETS trtlens RUNTIME DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT wheel)
endif()
install(TARGETS trtlens RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY LICENSES DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# Man pages and completions, as the program itself prints them.
set(prompt_files ${CMAKE_CURRENT_BINARY_DIR}/prompt_files)
add_custom_command(OUTPUT ${prompt_files}/man/man1/trtlens.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${prompt_files}
  COMMAND trtlens prompt-files ${prompt_files}
  DEPENDS trtlens VERBATIM)
add_custom_target(prompt_files ALL DEPENDS ${prompt_files}/man/man1/trtlens.1)
install(DIRECTORY ${prompt_files}/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT program)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/trtlens)
set_target_properties(trtlens_parsers PROPERTIES EXPORT_NAME parsers)
set_target_properties(trtlens_analyzers PROPERTIES EXPORT_NAME analyzers)
set_target_properties(trtlens_report PROPERTIES EXPORT_NAME report)
set_target_properties(trtlens_rules PROPERTIES EXPORT_NAME rules)
target_link_libraries(trtlens_analyzers INTERFACE $<INSTALL_INTERFACE:trtlens::rules>)  # compile_rules has to do without
install(TARGETS trtlens_parsers trtlens_analyzers trtlens_rules trtlens_report trtlens_flags trtlens_fmt gnuplot_iostream
        EXPORT trtlens ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(DIRECTORY parsers analyzers report DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trtlens COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN report/cli EXCLUDE PATTERN data EXCLUDE PATTERN web EXCLUDE PATTERN schemas EXCLUDE)
install(EXPORT trtlens NAMESPACE trtlens:: DESTINATION ${package_dir} FILE trtlensTargets.cmake COMPONENT development)
configure_package_config_file(cmake/trtlensConfig.cmake.in trtlensConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(trtlensConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/trtlensConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/trtlensConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT development)
install(FILES cmake/dependencies.cmake DESTINATION ${package_dir} COMPONENT development)

# The .deb; scripts/release makes the tarball.
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "trtlens <trtlens@users.noreply.github.com>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
include(CPack)
