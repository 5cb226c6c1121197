# Compiler flags shared by all our targets.
add_library(trtlens_flags INTERFACE)
target_compile_options(trtlens_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast -Wundef)
if(TRTLENS_WERROR)
  target_compile_options(trtlens_flags INTERFACE -Werror)
endif()
if(TRTLENS_SANITIZE)
  add_compile_options(-fsanitize=${TRTLENS_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TRTLENS_SANITIZE})
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()
