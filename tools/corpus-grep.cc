#include "corpus-grep/run.h"
#include "corpus-grep/spec.h"

int main(int argc, char** argv) { return ragline::run_tool(argc, argv, ragline::corpus_grep_spec(), ragline::corpus_grep); }
