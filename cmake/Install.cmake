# What goes beside the binaries: manual pages, shell completions, licence. The pages and completions are generated from
# the tools' flag tables by scripts/gen-docs and committed; a folder that is not there yet installs nothing.
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# ragline_install_completions(<shell> <destination> <prefix> <suffix>): each shell wants its own place and file name.
function(ragline_install_completions shell destination prefix suffix)
  file(GLOB files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/completions/${shell}/*)
  foreach(file ${files})
    get_filename_component(tool ${file} NAME_WE)
    string(REGEX REPLACE "^_" "" tool ${tool})
    install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${destination} RENAME ${prefix}${tool}${suffix})
  endforeach()
endfunction()
ragline_install_completions(bash bash-completion/completions "" "")
ragline_install_completions(zsh zsh/site-functions "_" "")
ragline_install_completions(fish fish/vendor_completions.d "" ".fish")

install(DIRECTORY ${CMAKE_SOURCE_DIR}/share/models DESTINATION ${CMAKE_INSTALL_DATADIR}/ragline)

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  ${CMAKE_SOURCE_DIR}/MODELS.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
