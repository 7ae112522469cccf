# Generated from the flag table by scripts/gen-docs. Do not edit.
complete -c rag-eval -f
complete -c rag-eval -l allow-partial -d 'exit 0 or 1 even when a limit or a bad file cut in'
complete -c rag-eval -l trace -r -F -d 'append trace records of this run to FILE'
complete -c rag-eval -l trace-content -d 'let trace records hold query text'
complete -c rag-eval -s h -l help -d 'show this help'
complete -c rag-eval -l version -d 'show name and version'
complete -c rag-eval -l schema -d 'describe the tool as a JSON function for agents'
complete -c rag-eval -n 'not __fish_seen_subcommand_from rank selftest' -a rank -d 'measure a ranking against judgements'
complete -c rag-eval -n 'not __fish_seen_subcommand_from rank selftest' -a selftest -d 'measure the built-in examples and compare'
complete -c rag-eval -n 'not __fish_seen_subcommand_from rank selftest' -F
