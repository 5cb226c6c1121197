# embed_files(OUT.cc VARIABLE FILE...): the files as constants of the binary, declared in parsers/input/embedded.h.
find_program(GZIP gzip REQUIRED)
function(embed_files out variable)
  set(target_file ${CMAKE_CURRENT_BINARY_DIR}/${out})
  add_custom_command(
    OUTPUT ${target_file}
    COMMAND ${CMAKE_COMMAND} -DOUT=${target_file} -DVARIABLE=${variable} -DGZIP=${GZIP} "-DFILES=${ARGN}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
endfunction()

# generate_registry(TARGET OUT.inc GLOB): X(STEM) for each file, sorted by stem; adding a file re-runs CMake.
function(generate_registry target out pattern)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  set(stems "")
  foreach(file ${files})
    get_filename_component(stem ${file} NAME_WE)
    list(APPEND stems ${stem})
  endforeach()
  list(SORT stems)
  set(text "")
  foreach(stem ${stems})
    string(APPEND text "X(${stem})\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/${out} CONTENT "${text}")
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/generated)
endfunction()
