#include <cstdio>

#include "cli/flag_kinds.h"
#include "cli/paths.h"
#include "cli/shared_flags.h"
#include "cli/terminal.h"
#include "core/files.h"
#include "core/interrupt.h"
#include "core/text.h"
#include "core/utf8.h"
#include "dpp-select/choice.h"
#include "dpp-select/commands.h"
#include "dpp-select/picture.h"
#include "record/writer.h"
#include "select/similarity.h"

namespace ragline {

namespace {

// Why each candidate was taken or left: its relevance, and the pick nearest to it.
std::string why(const QueryGroup& group, const Choice& choice, std::uint32_t candidate,
                std::size_t picked_before, bool chosen, Cosines& cosines) {
  const auto row = cosines.with(candidate);
  std::string json;
  JsonObject object(json);
  object.add("chosen", chosen).add("relevance", choice.candidates.pool.relevance[candidate]);
  if (!choice.limits.costs.empty()) object.add("tokens", choice.limits.costs[candidate]);
  if (picked_before > 0) {
    std::uint32_t nearest = choice.picks[0].candidate;
    for (std::size_t p = 0; p < picked_before; ++p)
      if (row[choice.picks[p].candidate] > row[nearest]) nearest = choice.picks[p].candidate;
    object.add("cosine", row[nearest])
        .add("nearest", group.hits[choice.candidates.hits[nearest]].chunk.evidence_id);
  }
  object.close();
  return json;
}

void append_text(std::string& out, const QueryGroup& group, const std::vector<OutputHit>& hits,
                 const Painter& painter) {
  std::uint64_t rank = 0;
  for (const OutputHit& one : hits) {
    const Hit& hit = group.hits[one.hit];
    char numbers[64];
    std::snprintf(numbers, sizeof numbers, "%.3f", one.gain);
    painter.paint(out, Ink::kDim, cat(++rank));
    out += "  ";
    painter.paint(out, Ink::kPath, hit.chunk.path.empty() ? hit.chunk.document_id : hit.chunk.path);
    if (hit.chunk.lines) painter.paint(out, Ink::kPath, cat(":", hit.chunk.lines->first));
    out += "  ";
    painter.paint(out, Ink::kNumber, numbers);
    append(out, "  was ", hit.rank, "\n   ");
    std::string text = hit.chunk.text.substr(
        0, utf8_floor(hit.chunk.text, std::min<std::size_t>(hit.chunk.text.size(), 160)));
    for (char& c : text)
      if (c == '\n') c = ' ';
    painter.paint(out, Ink::kPlain, text);
    if (!one.explain.empty()) append(out, "\n   ", one.explain);
    out += "\n\n";
  }
}

// The pool of one query; with an adapter before it and after.
Status draw_picture(const std::string& path, const QueryGroup& group, const Choice& choice,
                    Layout layout) {
  const Candidates& candidates = choice.candidates;
  const std::size_t dimensions = candidates.pool.dimensions;
  std::vector<Panel> panels;
  if (!candidates.original.empty())
    panels.push_back({"vectors as they are", candidates.original, dimensions});
  panels.push_back({candidates.original.empty() ? "candidates" : "through the adapter",
                    candidates.vectors, dimensions});
  std::vector<std::string> names;
  for (const std::uint32_t hit : candidates.hits) {
    const Chunk& chunk = group.hits[hit].chunk;
    names.push_back(chunk.title.empty() ? chunk.document_id : chunk.title);
  }
  std::vector<std::uint32_t> chosen;
  for (const Pick& pick : choice.picks) chosen.push_back(pick.candidate);
  const std::string title = group.query ? group.query->query : group.query_id;
  return write_file_atomically(path, pool_picture(title, panels, layout, names, chosen));
}

// select writes what was chosen; explain all candidates, the chosen first.
Status run_choice(ToolRun& run, bool all) {
  RAGLINE_TRY(const ChoiceOptions options, choice_options(run.flags));
  RAGLINE_CHECK(need_piped_input("rag-search -k 100 'what to look for' | dpp-select -k 8"));
  RAGLINE_TRY(auto reader, GroupReader::open("-", {.no_end = run.flags.on("no-end"),
                                                   .skip_bad = run.flags.on("skip-bad")}));
  const bool text = run.format() == "text", explain = all || run.flags.on("explain");
  const Painter painter = Painter::standard(run.flags.text("color"));
  run.outcome.set_allow_partial(run.flags.on("allow-partial"));
  Words words;
  QueryGroup group;
  Choice choice;
  std::string out;
  std::uint64_t queries = 0, chosen = 0;
  while (true) {
    if (interrupted()) return fail(ErrorKind::kInterrupted, "interrupted");
    out.clear();
    RAGLINE_TRY(const bool more, reader.next(group, text ? nullptr : &out));
    if (!more) break;
    RAGLINE_CHECK(choose(reader, group, options, words, choice));
    if (all && queries == 0 && run.flags.has("picture"))
      RAGLINE_CHECK(draw_picture(
          run.flags.text("picture"), group, choice,
          run.flags.text("layout") == "tsne" ? Layout::kNeighbours : Layout::kPrincipal));
    ++queries;
    chosen += choice.picks.size();
    if (!choice.picks.empty()) run.outcome.set_found();

    std::vector<OutputHit> hits;
    std::optional<Cosines> cosines;
    if (explain) cosines.emplace(choice.candidates.pool);
    std::vector<char> taken(choice.candidates.pool.size);
    for (std::size_t p = 0; p < choice.picks.size(); ++p) {
      const Pick& pick = choice.picks[p];
      taken[pick.candidate] = 1;
      hits.push_back({choice.candidates.hits[pick.candidate], pick.gain,
                      explain ? why(group, choice, pick.candidate, p, true, *cosines) : ""});
    }
    for (std::uint32_t i = 0; all && i < taken.size(); ++i)
      if (!taken[i])
        hits.push_back({choice.candidates.hits[i], 0,
                        why(group, choice, i, choice.picks.size(), false, *cosines)});

    if (text) {
      append_text(out, group, hits, painter);
      for (const std::string& warning : choice.candidates.warnings)
        append(out, "note: ", harmless_text(warning), "\n");
    } else {
      out += write_group(group, choice, options, hits, run.flags.on("stats") || all);
    }
    RAGLINE_CHECK(run.out.write(out));
    TraceStep step;
    if (group.query) step.query = group.query->query;
    step.route = options.select.method->name;
    step.hits = choice.picks.size();
    step.counts = {{"candidates", choice.candidates.pool.size}};
    RAGLINE_CHECK(run.trace.step(step));
  }
  RAGLINE_CHECK(run.out.write(out));  // other records behind the last query
  report_bad_lines(run, reader);
  run.summary.hits = chosen;
  run.summary.counts = {{"queries", queries}};
  return {};
}

Status run_select(ToolRun& run) { return run_choice(run, false); }
Status run_explain(ToolRun& run) { return run_choice(run, true); }

std::vector<Flag> with_output(std::vector<Flag> flags, bool select) {
  if (select) {
    flags.push_back(explain_flag());
    Flag stats = stats_flag();
    stats.help = "add time, redundancy and coverage to end records";
    flags.push_back(std::move(stats));
  }
  if (!select) {
    Flag picture = text_flag(
        "picture", "FILE", "Output", "draw the first query's candidates as SVG",
        "With an adapter twice: the vectors as they are, and through it. The chosen are numbered.");
    picture.completion = Completion::kFile;
    Flag layout =
        text_flag("layout", "NAME", "Output", "how the picture is laid out",
                  "`pca` is the plane of most variance; `tsne` keeps neighbours together.");
    layout.type = FlagType::kChoice;
    layout.choices = {"pca", "tsne"};
    layout.fallback = "pca";
    flags.push_back(std::move(picture));
    flags.push_back(std::move(layout));
  }
  flags.push_back(format_flag());
  flags.push_back(color_flag());
  return flags;
}

}  // namespace

SelectCommand select_command() {
  return {
      .spec = {.name = "select",
               .summary = "write the chosen hits",
               .description =
                   {"Chooses for each query from its own hits. Equal candidates are taken in the "
                    "order they came; the same "
                    "input gives the same bytes. Hits that repeat an evidence id are dropped."},
               .flags = with_output(choice_flags(), true),
               .examples = {{"rag-search -i docs.idx -k 100 'why do orders fail' | dpp-select -k 8",
                             "Eight passages that say eight things."},
                            {"rag-search -i docs.idx -k 100 'refund' | dpp-select -k 8 --method "
                             "mmr --diversity 0.3",
                             "The same by maximal marginal relevance."},
                            {"rag-search -i docs.idx -k 100 'refund' | dpp-select --max-tokens "
                             "2000 --per-document 2",
                             "What fits a prompt, from several documents."}}},
      .body = run_select};
}

SelectCommand explain_command() {
  return {
      .spec =
          {.name = "explain",
           .summary = "write all candidates, and why each was taken or left",
           .description =
               {"The chosen hits come first, in the order of choice, then the others as they came. "
                "`explain` holds the "
                "relevance in the method's scale, and the nearest of the picks (of those before, "
                "for a pick) with its "
                "cosine; the end record has the redundancy and the coverage of the set."},
           .flags = with_output(choice_flags(), false),
           .examples =
               {{"rag-search -i docs.idx -k 20 'refund' | dpp-select explain -k 4 --format text",
                 "Why the fifth hit is not among the four."}}},
      .body = run_explain};
}

}  // namespace ragline
