# Compiler flags shared by all our targets.
add_library(trtlens_flags INTERFACE)
target_compile_options(trtlens_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wundef)
# g++ 12 warns of overlapping copies inside std::string for `"literal" + string` (GCC bug 105651, mended in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(trtlens_flags INTERFACE -Wno-restrict)
endif()
# It forgets which of the precompiled headers are the system's, and warns of what it inlines from there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND TRTLENS_PRECOMPILE)
  target_compile_options(trtlens_flags INTERFACE -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(TRTLENS_WERROR)
  target_compile_options(trtlens_flags INTERFACE -Werror)
endif()
if(TRTLENS_SANITIZE)
  add_compile_options(-fsanitize=${TRTLENS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRTLENS_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
if(TRTLENS_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "TRTLENS_FUZZ needs clang: cmake --preset asan")
  endif()
  add_link_options(-fsanitize=fuzzer-no-link)
endif()
# Coverage guides libFuzzer and takes a quarter of the time of what is compiled with it.
function(cover_for_fuzzing)  # ARGN: targets
  if(TRTLENS_FUZZ)
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endforeach()
  endif()
endfunction()
# What nothing calls is left out, of the static libraries too: a seventh of the binary.
if(TRTLENS_STATIC)
  # Frames are unwound by exceptions alone, which needs the table for calls only.
  add_compile_options(-ffunction-sections -fdata-sections -fno-pie -fno-asynchronous-unwind-tables)
endif()
