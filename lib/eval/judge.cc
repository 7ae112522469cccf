#include "eval/judge.h"

#include <cerrno>
#include <cstdio>

#include "core/files.h"
#include "core/hash.h"
#include "core/text.h"
#include "eval/citation_marks.h"
#include "eval/fields.h"
#include "record/object.h"
#include "record/writer.h"

namespace ragline {

namespace {

struct Reply {
  std::string key;
  std::optional<bool> label;
  std::uint64_t tokens = 0;
  double cost = 0;
};

// nullopt for a line that is no reply.
std::optional<Reply> read_reply(std::string_view line) {
  const auto members = JsonMembers::parse(line);
  if (!members) return std::nullopt;
  Reply reply;
  std::optional<std::uint64_t> tokens;
  std::optional<double> cost;
  if (!members->text({"key"}, reply.key) || reply.key.empty()) return std::nullopt;
  if (!members->count("tokens", tokens) || !members->number("cost", cost)) return std::nullopt;
  reply.tokens = tokens.value_or(0);
  reply.cost = cost.value_or(0);
  if (const Field* label = members->find("label")) {
    const std::string text = ascii_lower(json_scalar_text(label->raw).value_or(""));
    if (text == "true" || text == "1" || text == "entailment") reply.label = true;
    if (text == "false" || text == "0" || text == "neutral" || text == "contradiction")
      reply.label = false;
  }
  return reply;
}

Status append_to(const std::string& path, std::string_view lines) {
  std::FILE* const file = std::fopen(path.c_str(), "ab");
  if (!file) return fail(ErrorKind::kIo, errno_text("cannot open", path));
  const bool whole = std::fwrite(lines.data(), 1, lines.size(), file) == lines.size();
  const bool closed = std::fclose(file) == 0;
  if (!whole || !closed) return fail(ErrorKind::kIo, errno_text("cannot write", path));
  return {};
}

}  // namespace

Result<Judge> Judge::open(std::string name, Exchange exchange, const std::string& cache) {
  Judge judge;
  judge.name_ = std::move(name);
  judge.cache_ = cache;
  judge.exchange_ = std::move(exchange);
  if (cache.empty() || !stat_file(cache).exists) return judge;
  RAGLINE_TRY(const auto file, read_file(cache));
  LineWalker lines(file->bytes());
  std::string_view line;
  for (std::uint64_t number = 1; lines.next(line); ++number) {
    const std::optional<Reply> reply = read_reply(line);
    if (!reply || !reply->label)
      return fail(ErrorKind::kData,
                  cat(cache, ":", number,
                      ": no answer of a judge: give a file that only a judge's cache is in"));
    judge.labels_[reply->key] = *reply->label;
  }
  return judge;
}

std::string Judge::hash() const { return hex(hash64(name_), 16); }

std::string Judge::key_of(const JudgeTask& task) const {
  Hasher hasher;
  for (const std::string& part : {name_, task.task, task.premise, task.hypothesis}) {
    hasher.add(part);
    hasher.add(cat('\0', part.size(), '\0'));
  }
  return hex(hasher.value(), 16);
}

std::string Judge::take(std::string_view replies) {
  std::string kept;
  LineWalker lines(replies);
  std::string_view line;
  while (lines.next(line)) {
    const std::optional<Reply> reply = read_reply(trim(line));
    if (!reply || !asked_.contains(reply->key)) continue;
    ledger_.tokens += reply->tokens;
    ledger_.cost += reply->cost;
    if (!reply->label || !labels_.emplace(reply->key, *reply->label).second) continue;
    JsonObject record(kept);
    record.add("key", reply->key)
        .add("label", *reply->label)
        .add("tokens", reply->tokens)
        .add("cost", reply->cost);
    record.add("judge_hash", hash()).close();
    kept += '\n';
  }
  return kept;
}

Result<std::vector<std::optional<bool>>> Judge::ask(std::span<const JudgeTask> tasks) {
  std::vector<std::string> keys;
  std::string requests;
  std::vector<std::string> waiting;
  for (const JudgeTask& task : tasks) {
    const std::string& key = keys.emplace_back(key_of(task));
    if (!asked_.insert(key).second) continue;
    ++ledger_.tasks;
    if (labels_.contains(key)) {
      ++ledger_.cached;
      continue;
    }
    waiting.push_back(key);
    JsonObject record(requests);
    record.add("type", "judge_task").add("key", key).add("task", task.task);
    record.add("premise", task.premise).add("hypothesis", task.hypothesis).close();
    requests += '\n';
  }
  if (!requests.empty()) {
    RAGLINE_TRY(const std::string replies, exchange_(requests));
    const std::string kept = take(replies);
    if (!cache_.empty() && !kept.empty()) RAGLINE_CHECK(append_to(cache_, kept));
    for (const std::string& key : waiting) ledger_.failures += !labels_.contains(key);
  }
  std::vector<std::optional<bool>> out;
  for (const std::string& key : keys) {
    const auto label = labels_.find(key);
    out.push_back(label == labels_.end() ? std::nullopt : std::optional(label->second));
  }
  return out;
}

namespace {

// One sentence on its way through the rounds.
struct Question {
  std::size_t report = 0;
  CitedSentence sentence;
  std::vector<std::string_view> passages;
  std::string hypothesis;
};

std::string joined(const std::vector<std::string_view>& passages, std::size_t without) {
  std::string out;
  for (std::size_t i = 0; i < passages.size(); ++i)
    if (i != without) append(out, out.empty() ? "" : "\n", passages[i]);
  return out;
}

constexpr std::size_t kAll = static_cast<std::size_t>(-1);

// Asks one task for each place that `wanted` names, and hands the labels to `take`. A failure makes
// its answer useless.
template <class Wanted, class Take>
Status ask_round(std::vector<Question>& questions, std::vector<bool>& failed, Judge& judge,
                 Wanted wanted, Take take) {
  std::vector<JudgeTask> tasks;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t q = 0; q < questions.size(); ++q)
    for (const std::size_t citation : wanted(questions[q])) {
      places.emplace_back(q, citation);
      tasks.push_back(
          {"entailment", take.premise(questions[q], citation), questions[q].hypothesis});
    }
  RAGLINE_TRY(const auto labels, judge.ask(tasks));
  for (std::size_t i = 0; i < places.size(); ++i) {
    Question& question = questions[places[i].first];
    if (!labels[i]) failed[question.report] = true;
    take.set(question, places[i].second, labels[i].value_or(false));
  }
  return {};
}

using Places = std::vector<std::size_t>;

struct TakeAll {
  std::string premise(const Question& q, std::size_t) const { return joined(q.passages, kAll); }
  void set(Question& q, std::size_t, bool label) const { q.sentence.all_entail = label; }
};
struct TakeAlone {
  std::string premise(const Question& q, std::size_t i) const { return std::string(q.passages[i]); }
  void set(Question& q, std::size_t i, bool label) const { q.sentence.alone[i] = label; }
};
struct TakeWithout {
  std::string premise(const Question& q, std::size_t i) const { return joined(q.passages, i); }
  void set(Question& q, std::size_t i, bool label) const { q.sentence.without[i] = label; }
};

}  // namespace

Result<std::vector<std::optional<AlceScore>>> judge_citations(
    std::span<const CitationReport> reports, Judge& judge) {
  std::vector<Question> questions;
  std::vector<bool> failed(reports.size());
  for (std::size_t r = 0; r < reports.size(); ++r)
    for (const CheckedSentence& checked : reports[r].sentences) {
      Question& question = questions.emplace_back();
      question.report = r;
      question.hypothesis = trim(without_marks(checked.text));
      question.sentence.citations = checked.citations.size();
      for (const std::size_t i : checked.citations) {
        const CheckedCitation& citation = reports[r].citations[i];
        question.passages.push_back(citation.passage);
        question.sentence.in_range = question.sentence.in_range && citation.resolved;
        failed[r] = failed[r] || (citation.resolved && citation.passage.empty());
      }
      question.sentence.alone.resize(question.sentence.citations);
      question.sentence.without.resize(question.sentence.citations);
    }
  const auto checkable = [&](const Question& q) {
    return !failed[q.report] && q.sentence.citations > 0 && q.sentence.in_range;
  };
  RAGLINE_CHECK(ask_round(
      questions, failed, judge,
      [&](const Question& q) { return checkable(q) ? Places{kAll} : Places{}; }, TakeAll()));
  const auto several = [&](const Question& q) {
    return checkable(q) && q.sentence.all_entail && q.sentence.citations > 1;
  };
  const auto places = [&](const Question& q, bool only_weak) {
    Places out;
    for (std::size_t i = 0; several(q) && i < q.sentence.citations; ++i)
      if (!only_weak || !q.sentence.alone[i]) out.push_back(i);
    return out;
  };
  RAGLINE_CHECK(ask_round(
      questions, failed, judge, [&](const Question& q) { return places(q, false); }, TakeAlone()));
  RAGLINE_CHECK(ask_round(
      questions, failed, judge, [&](const Question& q) { return places(q, true); }, TakeWithout()));

  std::vector<std::vector<CitedSentence>> by_report(reports.size());
  for (Question& question : questions)
    by_report[question.report].push_back(std::move(question.sentence));
  std::vector<std::optional<AlceScore>> out;
  for (std::size_t r = 0; r < reports.size(); ++r)
    out.push_back(failed[r] || by_report[r].empty() ? std::nullopt
                                                    : std::optional(score_alce(by_report[r])));
  return out;
}

}  // namespace ragline
