# Runs the ports of packaging/vcpkg without vcpkg, against the distribution's packages: cmake -DPORTS=DIR -DPLACE=DIR -P vcpkg.cmake
# Stands in for the functions of vcpkg that they call, as https://learn.microsoft.com/vcpkg/maintainers/functions documents them; release alone.
cmake_minimum_required(VERSION 3.22)
get_filename_component(PORTS "${PORTS}" ABSOLUTE)
get_filename_component(PLACE "${PLACE}" ABSOLUTE)

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_download_distfile out)
  cmake_parse_arguments(of "" "FILENAME;SHA512" "URLS" ${ARGN})
  file(DOWNLOAD ${of_URLS} "${PLACE}/${of_FILENAME}" EXPECTED_HASH SHA512=${of_SHA512})
  set(${out} "${PLACE}/${of_FILENAME}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(of "" "ARCHIVE" "" ${ARGN})
  file(ARCHIVE_EXTRACT INPUT "${of_ARCHIVE}" DESTINATION "${PLACE}/source")
  file(GLOB folder "${PLACE}/source/*")
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

function(vcpkg_find_acquire_program name)
  find_program(found pkg-config REQUIRED)
  set(${name} "${found}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(of "" "SOURCE_PATH" "OPTIONS" ${ARGN})
  run(${CMAKE_COMMAND} -S "${of_SOURCE_PATH}" -B "${PLACE}/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_LIBDIR=lib
      "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" "-DGNUPLOT_IOSTREAM_INCLUDE_DIR=${PLACE}/gnuplot-iostream/include" ${of_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  run(${CMAKE_COMMAND} --build "${PLACE}/build" --target install -j ${cores})
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(of "" "CONFIG_PATH" "" ${ARGN})
  file(RENAME "${CURRENT_PACKAGES_DIR}/${of_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/${PORT}")
endfunction()

function(vcpkg_copy_tools)
  cmake_parse_arguments(of "AUTO_CLEAN" "" "TOOL_NAMES" ${ARGN})
  foreach(tool ${of_TOOL_NAMES})
    file(INSTALL "${CURRENT_PACKAGES_DIR}/bin/${tool}" DESTINATION "${CURRENT_PACKAGES_DIR}/tools/${PORT}" USE_SOURCE_PERMISSIONS)
  endforeach()
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/bin")
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(of "" "" "FILE_LIST" ${ARGN})
  file(INSTALL "${of_FILE_LIST}" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
endfunction()

foreach(PORT gnuplot-iostream trtlens)
  set(CURRENT_PACKAGES_DIR "${PLACE}/${PORT}")
  file(READ "${PORTS}/${PORT}/vcpkg.json" manifest)
  string(JSON name GET "${manifest}" name)
  if(NOT name STREQUAL PORT)
    message(FATAL_ERROR "${PORTS}/${PORT}/vcpkg.json names ${name}")
  endif()
  include("${PORTS}/${PORT}/portfile.cmake")
endforeach()
# What vcpkg's own checks want of a port: headers, the package's CMake files, its licence, no program in bin.
foreach(file include/trtlens/analyzers/analysis.h share/trtlens/trtlensConfig.cmake share/trtlens/LICENSE lib/libtrtlens_report.a)
  if(NOT EXISTS "${PLACE}/trtlens/${file}")
    message(FATAL_ERROR "the port trtlens has no ${file}")
  endif()
endforeach()
