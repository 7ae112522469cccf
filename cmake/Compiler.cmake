# Warnings are errors; ccache is used where present; nothing is compiled for the build machine's CPU only.
find_program(RAGLINE_CCACHE ccache)
if(RAGLINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # The precompiled header of the tests defines nothing that depends on the time.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
    ${RAGLINE_CCACHE})
endif()

add_library(ragline_options INTERFACE)
target_compile_options(ragline_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wno-sign-conversion -Werror)
target_include_directories(ragline_options INTERFACE ${CMAKE_SOURCE_DIR}/lib)
target_compile_definitions(ragline_options INTERFACE RAGLINE_VERSION="${PROJECT_VERSION}")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 raises both falsely: the first on a std::expected that is plainly set, the second on "x" + string.
  target_compile_options(ragline_options INTERFACE -Wno-maybe-uninitialized -Wno-restrict)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Tables name the fields that differ from their defaults; g++ does not ask for the others.
  target_compile_options(ragline_options INTERFACE -Wno-missing-designated-field-initializers)
  # std::stable_sort of libstdc++ 12 calls what it has deprecated.
  target_compile_options(ragline_options INTERFACE -Wno-deprecated-declarations)
endif()

if(RAGLINE_FUZZ AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "RAGLINE_FUZZ needs clang: configure with --preset fuzz")
endif()
if(RAGLINE_SANITIZE OR RAGLINE_FUZZ)
  target_compile_options(ragline_options INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(ragline_options INTERFACE -fsanitize=address,undefined)
endif()
if(RAGLINE_FUZZ)
  target_compile_options(ragline_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
