# Distribution packages of Debian 12, Ubuntu 22.04 and 24.04; nothing is fetched.
find_package(nlohmann_json 3.10 CONFIG REQUIRED)
find_package(fmt 8 CONFIG REQUIRED)
find_package(CLI11 2.1 CONFIG REQUIRED)
set(Boost_USE_STATIC_LIBS ${TRTLENS_STATIC})
find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS program_options iostreams filesystem)
find_package(Threads REQUIRED)

find_package(PkgConfig REQUIRED)
if(TRTLENS_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
find_package(ZLIB REQUIRED)
pkg_check_modules(PUGIXML REQUIRED IMPORTED_TARGET GLOBAL pugixml)  # JUnit XML
pkg_check_modules(MD REQUIRED IMPORTED_TARGET GLOBAL libmd)  # SHA-256
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET GLOBAL sqlite3>=3.37)  # the history of builds
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET GLOBAL libzstd)

find_package(re2 CONFIG QUIET)  # newer distributions, vcpkg, Conan
if(NOT TARGET re2::re2)         # Debian 12, Ubuntu 22.04 and 24.04 ship only a .pc file, whose version is 0.0.0
  pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET GLOBAL re2)
  add_library(re2::re2 ALIAS PkgConfig::RE2)
endif()

# Header-only C++ wrapper around a gnuplot process; Debian's has no CMake or pkg-config file.
find_path(GNUPLOT_IOSTREAM_INCLUDE_DIR gnuplot-iostream.h REQUIRED)
add_library(gnuplot_iostream INTERFACE)
target_include_directories(gnuplot_iostream SYSTEM INTERFACE $<BUILD_INTERFACE:${GNUPLOT_IOSTREAM_INCLUDE_DIR}>)
target_link_libraries(gnuplot_iostream INTERFACE Boost::iostreams Boost::filesystem)

# Debian has no libfmt.a, so the static binary compiles fmt in.
add_library(trtlens_fmt INTERFACE)
target_link_libraries(trtlens_fmt INTERFACE $<IF:$<BOOL:${TRTLENS_STATIC}>,fmt::fmt-header-only,fmt::fmt>)
