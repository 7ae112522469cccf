# Third-party libraries, all from Debian. A static archive is taken where Debian ships one: start-up is a feature.
find_package(Threads REQUIRED)

# ragline_find(<name> <header> <libraries...>): an imported target third::<name>.
function(ragline_find name header)
  find_path(${name}_INCLUDE ${header} REQUIRED)
  add_library(third_${name} INTERFACE)
  target_include_directories(third_${name} SYSTEM INTERFACE ${${name}_INCLUDE})
  foreach(library ${ARGN})
    # Debian 13 calls one archive libsimdjson_static.a; cld2 has none.
    find_library(${name}_${library} NAMES lib${library}.a lib${library}_static.a ${library} REQUIRED)
    target_link_libraries(third_${name} INTERFACE ${${name}_${library}})
  endforeach()
  mark_as_advanced(${name}_INCLUDE)
  add_library(third::${name} ALIAS third_${name})
endfunction()

ragline_find(simdjson simdjson.h simdjson)
ragline_find(zstd zstd.h zstd)
ragline_find(zlib zlib.h z)
ragline_find(xxhash xxhash.h xxhash)
ragline_find(icu unicode/ubrk.h icuuc icudata)
ragline_find(stemmer libstemmer.h stemmer)
ragline_find(cld2 cld2/public/compact_lang_det.h cld2)
ragline_find(sqlite sqlite3.h sqlite3)
ragline_find(gumbo gumbo.h gumbo)
target_link_libraries(third_sqlite INTERFACE ${CMAKE_DL_LIBS} m)
target_link_libraries(third_icu INTERFACE ${CMAKE_DL_LIBS})
