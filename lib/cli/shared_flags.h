#pragma once
#include "cli/spec.h"

// Entries for the long names that mean the same in every tool (DESIGN.md, "Manners"). A tool lists
// those that it implements, and may change an entry's letter, default or help before it does:
//
//   Flag top = top_flag();
//   top.fallback = "8";
namespace ragline {

// Input.
Flag index_flag();        // -i, --index DIR; RAGLINE_INDEX
Flag queries_flag();      // --queries FILE
Flag files_from_flag();   // --files-from FILE
Flag files0_from_flag();  // --files0-from FILE
Flag root_flag();         // --root DIR
Flag skip_bad_flag();     // --skip-bad
Flag model_flag();        // --model NAME|FOLDER|FILE|none
Flag no_end_flag();       // --no-end

// What is looked at.
Flag filter_flag();     // --filter EXPR
Flag principal_flag();  // --principal NAME, several
Flag tenant_flag();     // --tenant NAME
Flag as_of_flag();      // --as-of TIME
Flag path_glob_flag();  // --path-glob GLOB, several

// What comes out.
Flag top_flag();      // -k, --top N (10)
Flag format_flag();   // --format text|jsonl; no default: text on a terminal, else jsonl
Flag color_flag();    // --color auto|always|never
Flag explain_flag();  // --explain
Flag stats_flag();    // --stats

// Limits and resources.
Flag threads_flag();        // --threads N; none is one per processor
Flag memory_flag();         // --memory SIZE (512M)
Flag timeout_flag();        // --timeout DURATION
Flag wait_flag();           // --wait DURATION, for the lock of another writer
Flag seed_flag();           // --seed N (0)
Flag allow_partial_flag();  // --allow-partial

// Messages.
Flag no_progress_flag();    // --no-progress
Flag quiet_flag();          // -q, --quiet
Flag verbose_flag();        // -v, --verbose
Flag trace_flag();          // --trace FILE; RAGLINE_TRACE
Flag trace_content_flag();  // --trace-content

}  // namespace ragline
