vcpkg_download_distfile(ARCHIVE
  URLS "https://deb.debian.org/debian/pool/main/g/gnuplot-iostream/gnuplot-iostream_0~20140302.gitc8919a0%2Bdfsg.orig.tar.xz"
  FILENAME "gnuplot-iostream-20140302.tar.xz"
  SHA512 1e09a1b3fd403cb7947d7d3e3ec9b8e01c68e2ab16877e784503ad38a0c11545cedfcda4e8d32273236c62b4d392f429aa4455cfd35f131b198c70b9aa510590)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${ARCHIVE}")

set(VCPKG_BUILD_TYPE release)  # a header alone
file(INSTALL "${SOURCE_PATH}/gnuplot-iostream.h" DESTINATION "${CURRENT_PACKAGES_DIR}/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/gnuplot-iostream.h")
