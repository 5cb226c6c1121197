# What reads lines that a log has a few of.
set(rare_log_sources "/(lint/[a-z_]*|banner|errors|inference|library|memory|options|performance|precision|process|producers|session|io_tensors|tuning|run_retention|own_report)\\.cc$")

# unity_by_folder(TARGET): the files of a folder are compiled as one, which saves two thirds of the time: most of it goes
# into the same headers. Names in anonymous namespaces are unique in their folder. scripts/check_includes reads every file by itself.
set(as_one UNITY_BUILD_CODE_BEFORE_INCLUDE "// NOLINTNEXTLINE(bugprone-suspicious-include)")
function(unity_by_folder target)
  if(NOT TRTLENS_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(folder ${source} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    get_filename_component(folder ${folder} DIRECTORY)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${folder}" generated)
    if(generated)
      continue()
    endif()
    # As one, GCC 12 inlines less of the log's reader: 7.2 instructions a byte of log instead of 5.9.
    if(folder MATCHES "/parsers/log" AND NOT source MATCHES "${rare_log_sources}" AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
      continue()
    endif()
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP ${as_one})
endfunction()

# unity_by_number(TARGET N): N files each are compiled as one.
function(unity_by_number target number)
  if(TRTLENS_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${number} ${as_one})
  endif()
endfunction()

# precompile(TARGET HEADER...): these headers are read once for the target, not once a file.
function(precompile target)
  if(TRTLENS_PRECOMPILE AND NOT TRTLENS_STATIC)  # whose files are not all compiled alike
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
