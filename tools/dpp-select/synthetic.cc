#include "select/synthetic.h"

#include "cli/flag_kinds.h"
#include "cli/shared_flags.h"
#include "core/bytes.h"
#include "core/hash.h"
#include "core/text.h"
#include "dpp-select/commands.h"
#include "record/base64.h"
#include "record/writer.h"

namespace ragline {

namespace {

std::string packed(std::span<const float> values) {
  std::string bytes;
  for (const float value : values) put_fixed(bytes, value);
  return cat('"', base64_encode(bytes), '"');
}

std::string evidence_of(std::uint64_t chunk) {
  const std::string text = cat("chunk ", chunk);
  return cat("s", chunk, "#0-", text.size(), "@", checksum_text(text).substr(0, 12));
}

// A case with its gold evidence, then the query, its hits and its end.
void append_example(std::string& out, const TrainingExample& example) {
  std::string gold;
  for (std::size_t i = 0; i < example.size(); ++i)
    if (!example.pieces[i].empty())
      append(gold, gold.empty() ? "[\"" : ",\"", evidence_of(example.names[i]), "\"");
  // Facts outside the pool have to be found too, and cannot be.
  for (std::size_t held = positive_set(example).size(); held < example.hops; ++held)
    append(gold, gold.empty() ? "[\"" : ",\"", "absent-", example.query_id, "-", held, "\"");
  JsonObject one(out);
  one.add("type", "case")
      .add("query_id", example.query_id)
      .add("query", "synthetic")
      .raw("gold_evidence", gold + "]");
  one.add("required_hops", std::uint64_t{example.hops}).close();
  out += '\n';
  Query query;
  query.query_id = example.query_id;
  query.query = "synthetic";
  query.vector = packed(example.query);
  write_record(out, query);
  for (std::size_t i = 0; i < example.size(); ++i) {
    Hit hit;
    hit.query_id = example.query_id;
    hit.rank = i + 1;
    hit.score = example.relevance[i];
    hit.method = "dense";
    hit.chunk.evidence_id = evidence_of(example.names[i]);
    hit.chunk.document_id = cat("s", example.names[i]);
    hit.chunk.text = cat("chunk ", example.names[i]);
    hit.chunk.vector =
        packed(std::span(example.vectors).subspan(i * example.dimensions, example.dimensions));
    write_record(out, hit);
  }
  End end;
  end.query_id = example.query_id;
  end.counts = {{"hits", example.size()}};
  write_record(out, end);
}

Status run_synthetic(ToolRun& run) {
  const SyntheticData data =
      make_synthetic({.questions = static_cast<std::size_t>(run.flags.integer("questions")),
                      .seed = static_cast<std::uint64_t>(run.flags.integer("seed"))});
  const std::string& part = run.flags.text("part");
  for (const auto& [name, examples] :
       {std::pair("train", &data.train), std::pair("validation", &data.validation),
        std::pair("test", &data.test)}) {
    if ((name == std::string_view("test")) != (part == "test")) continue;
    for (const TrainingExample& example : *examples) {
      std::string out;
      append_example(out, example);
      RAGLINE_CHECK(run.out.write(out));
    }
  }
  run.outcome.set_found();
  return {};
}

}  // namespace

SelectCommand synthetic_command() {
  Flag questions = text_flag("questions", "N", "Options", "questions in all");
  questions.type = FlagType::kInteger;
  questions.least = 8;
  questions.most = 1e6;
  questions.fallback = "1800";
  Flag part =
      text_flag("part", "NAME", "Options", "three quarters to train on, or the rest to test");
  part.type = FlagType::kChoice;
  part.choices = {"train", "test"};
  part.fallback = "train";
  return {.spec = {.name = "synthetic",
                   .summary = "make multi-hop questions with vectors and gold evidence",
                   .description = {"Candidates for `train` that anyone can make: facts, their "
                                   "echoes and fillers, in which relevance alone is "
                                   "redundant and spread alone is irrelevant. No chunk of the test "
                                   "part is in the training part."},
                   .flags = {std::move(part), std::move(questions), seed_flag()},
                   .examples =
                       {{"dpp-select synthetic > train.jsonl; dpp-select synthetic --part test > "
                         "test.jsonl; "
                         "dpp-select train --candidates train.jsonl --test test.jsonl --out s.padp",
                         "What the losses learn where it can be learnt."}}},
          .body = run_synthetic};
}

}  // namespace ragline
