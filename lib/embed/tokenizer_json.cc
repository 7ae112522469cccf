// tokenizer.json to TokenizerParts.
#include <unordered_map>

#include "core/text.h"
#include "embed/tokenizer.h"
#include "record/base64.h"
#include "record/object.h"

namespace ragline {

namespace {

// Ids beyond this are taken for damage: the largest vocabularies have a tenth of it.
constexpr std::uint64_t kMostIds = 4'000'000;

Error at(std::string_view place, Error error) {
  return {error.kind, cat(place, ": ", error.message)};
}

// The parts of a step: its type, and the steps of a Sequence.
struct Step {
  std::string type;
  JsonMembers members;

  static Result<Step> parse(std::string_view json) {
    RAGLINE_TRY(JsonMembers members, JsonMembers::parse(json));
    Step step{{}, std::move(members)};
    RAGLINE_CHECK(step.members.text({"type"}, step.type));
    return step;
  }
  bool flag(std::string_view key, bool fallback) const {
    std::optional<bool> value;
    return members.flag(key, value) ? value.value_or(fallback) : fallback;
  }
  std::string text(std::string_view key, std::string fallback = {}) const {
    std::string value = std::move(fallback);
    (void)members.text({key}, value);
    return value;
  }
};

// `pattern` of Replace and Split: {"String": "x"} or {"Regex": "x"}.
struct Pattern {
  bool regex = false;
  std::string text;
};
Result<Pattern> read_pattern(const Step& step) {
  Pattern pattern;
  const Field* field = step.members.find("pattern");
  if (!field) return fail(ErrorKind::kData, cat(step.type, " has no pattern"));
  RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(field->raw));
  pattern.regex = members.find("Regex") != nullptr;
  RAGLINE_CHECK(members.text({"Regex", "String"}, pattern.text));
  return pattern;
}

// Calls take(step) for a step, or for each of a Sequence's; null is no step. Sequences may lie in
// sequences.
template <class Take>
Status each_step(const Field* field, std::string_view list, Take take, int depth = 0) {
  if (!field) return {};
  if (depth > 8) return fail(ErrorKind::kData, "sequences are nested more than eight deep");
  RAGLINE_TRY(const Step step, Step::parse(field->raw));
  if (step.type != "Sequence") return take(step);
  const Field* steps = step.members.find(list);
  if (!steps) return fail(ErrorKind::kData, cat("a Sequence has no ", list));
  RAGLINE_TRY(const auto elements, json_elements(steps->raw));
  for (const std::string_view element : elements) {
    const Field inner{list, list, element};
    RAGLINE_CHECK(each_step(&inner, list, take, depth + 1));
  }
  return {};
}

BertOptions bert_options(const Step& step) {
  BertOptions options;
  options.clean = step.flag("clean_text", true);
  options.chinese = step.flag("handle_chinese_chars", true);
  options.lowercase = step.flag("lowercase", true);
  // Absent or null means: as lowercase does.
  options.strip_accents = step.flag("strip_accents", options.lowercase);
  return options;
}

Result<TextStep> read_normalizer(const Step& step) {
  const std::string& type = step.type;
  if (type == "BertNormalizer") return use_bert(bert_options(step));
  if (type == "Lowercase") return lower_case();
  if (type == "NFC") return normal_form(NormalForm::kNfc);
  if (type == "NFD") return normal_form(NormalForm::kNfd);
  if (type == "NFKC") return normal_form(NormalForm::kNfkc);
  if (type == "NFKD") return normal_form(NormalForm::kNfkd);
  if (type == "StripAccents") return drop_marks();
  if (type == "Prepend") return prepend_text(step.text("prepend"));
  if (type == "Strip")
    return strip_blanks(step.flag("strip_left", true), step.flag("strip_right", true));
  if (type == "Replace") {
    RAGLINE_TRY(const Pattern pattern, read_pattern(step));
    if (pattern.regex) return replace_regex(pattern.text, step.text("content"));
    return replace_text(pattern.text, step.text("content"));
  }
  if (type == "Precompiled") {
    const auto bytes = base64_decode(step.text("precompiled_charsmap"));
    if (!bytes) return fail(ErrorKind::kData, "precompiled_charsmap is not base64");
    RAGLINE_TRY(Charsmap map, Charsmap::parse(*bytes));
    return use_charsmap(std::move(map));
  }
  return fail(ErrorKind::kData,
              cat("normalizer '", type, "' is not known here: use a model with another tokenizer"));
}

Result<SplitBehaviour> read_behaviour(const Step& step, std::string fallback) {
  const std::string name = step.text("behavior", std::move(fallback));
  if (name == "Removed") return SplitBehaviour::kRemoved;
  if (name == "Isolated") return SplitBehaviour::kIsolated;
  if (name == "MergedWithPrevious") return SplitBehaviour::kMergedWithPrevious;
  if (name == "MergedWithNext") return SplitBehaviour::kMergedWithNext;
  if (name == "Contiguous") return SplitBehaviour::kContiguous;
  return fail(ErrorKind::kData, cat("behavior '", name, "' is not known"));
}

Result<SplitStep> read_split(const Step& step) {
  const std::string& type = step.type;
  if (type == "BertPreTokenizer") return split_bert();
  if (type == "Whitespace") return split_words();
  if (type == "WhitespaceSplit") return split_blanks();
  if (type == "Digits") return split_digits(step.flag("individual_digits", false));
  if (type == "ByteLevel")
    return split_byte_level(step.flag("add_prefix_space", true), step.flag("use_regex", true));
  if (type == "Punctuation") {
    RAGLINE_TRY(const SplitBehaviour behaviour, read_behaviour(step, "Isolated"));
    return split_punctuation(behaviour);
  }
  if (type == "Metaspace") {
    // Older files have add_prefix_space where newer ones have prepend_scheme.
    const std::string scheme =
        step.text("prepend_scheme", step.flag("add_prefix_space", true) ? "always" : "never");
    const PrependScheme prepend = scheme == "always"  ? PrependScheme::kAlways
                                  : scheme == "first" ? PrependScheme::kFirst
                                                      : PrependScheme::kNever;
    return split_metaspace(step.text("replacement", "\u2581"), prepend, step.flag("split", true));
  }
  if (type == "Split") {
    RAGLINE_TRY(const Pattern pattern, read_pattern(step));
    RAGLINE_TRY(const SplitBehaviour behaviour, read_behaviour(step, ""));
    const bool invert = step.flag("invert", false);
    if (!pattern.regex) return split_text(pattern.text, behaviour, invert);
    RAGLINE_TRY(auto regex, SplitRegex::parse(pattern.text));
    return split_regex(std::move(regex), behaviour, invert);
  }
  return fail(ErrorKind::kData, cat("pre-tokenizer '", type,
                                    "' is not known here: use a model with another tokenizer"));
}

Status read_vocabulary(const Field& field, Vocabulary& out) {
  // An entry has some fifteen bytes.
  out.reserve(field.raw.size() / 16);
  std::optional<Error> wrong;
  const bool whole = visit_members(field.raw, [&](const Field& member) {
    const auto id = count_of(member.raw);
    if (!id || *id > kMostIds) {
      wrong = Error{ErrorKind::kData,
                    cat("the id of '", member.key, "' is not a whole number below ", kMostIds)};
      return false;
    }
    out.add(member.key, static_cast<std::uint32_t>(*id));
    return true;
  });
  if (wrong) return std::unexpected(*wrong);
  if (!whole) return fail(ErrorKind::kData, "model.vocab is not an object of tokens and ids");
  return {};
}

Status read_unigram_vocabulary(const Field& field, Vocabulary& out, std::vector<double>& scores) {
  RAGLINE_TRY(const auto entries, json_elements(field.raw));
  if (entries.size() > kMostIds) return fail(ErrorKind::kData, "model.vocab is too long");
  for (const std::string_view entry : entries) {
    RAGLINE_TRY(const auto pair, json_elements(entry));
    const auto token =
        pair.size() == 2 && pair[0].starts_with('"') ? json_scalar_text(pair[0]) : std::nullopt;
    const auto score = pair.size() == 2 ? parse_double(pair[1]) : std::nullopt;
    if (!token || !score)
      return fail(ErrorKind::kData, "model.vocab has an entry that is not [token, score]");
    out.add(*token, static_cast<std::uint32_t>(scores.size()));
    scores.push_back(*score);
  }
  return {};
}

Result<std::optional<std::uint32_t>> read_unknown(const Step& model, const Vocabulary& vocabulary) {
  const std::string token = model.text("unk_token");
  if (token.empty()) return std::nullopt;
  const auto id = vocabulary.find(token);
  if (!id) return fail(ErrorKind::kData, cat("unk_token '", token, "' is not in the vocabulary"));
  return id;
}

// "a b", or ["a", "b"] in newer files.
Status read_merges(const Field& field, const Vocabulary& vocabulary, BpeOptions& out) {
  RAGLINE_TRY(const auto entries, json_elements(field.raw));
  for (const std::string_view entry : entries) {
    std::string left, right;
    if (entry.starts_with('[')) {
      RAGLINE_TRY(const auto pair, json_elements(entry));
      if (pair.size() == 2) {
        left = json_scalar_text(pair[0]).value_or("");
        right = json_scalar_text(pair[1]).value_or("");
      }
    } else if (const auto text = json_scalar_text(entry)) {
      const std::size_t blank = text->find(' ');
      if (blank != text->npos) left = text->substr(0, blank), right = text->substr(blank + 1);
    }
    const auto a = vocabulary.find(left), b = vocabulary.find(right),
               both = vocabulary.find(left + right);
    if (left.empty() || right.empty() || !a || !b || !both)
      return fail(ErrorKind::kData, cat("model.merges: ", entry.substr(0, 100),
                                        " does not name two tokens that make a third"));
    out.merges.emplace_back(*a, *b);
    out.merged.push_back(*both);
  }
  return {};
}

Status read_model(const Step& model, TokenizerParts& parts) {
  const Field* vocabulary = model.members.find("vocab");
  if (!vocabulary) return fail(ErrorKind::kData, "model.vocab is missing");
  if (model.type == "Unigram") {
    UnigramOptions options;
    RAGLINE_CHECK(read_unigram_vocabulary(*vocabulary, parts.vocabulary, options.scores));
    std::optional<std::uint64_t> unknown;
    RAGLINE_CHECK(model.members.count("unk_id", unknown));
    if (unknown && *unknown >= options.scores.size())
      return fail(ErrorKind::kData, "model.unk_id lies outside the vocabulary");
    if (unknown) parts.unknown = options.unknown = static_cast<std::uint32_t>(*unknown);
    options.byte_fallback = model.flag("byte_fallback", false);
    parts.model = unigram(parts.vocabulary, std::move(options));
    return {};
  }
  RAGLINE_CHECK(read_vocabulary(*vocabulary, parts.vocabulary));
  RAGLINE_TRY(parts.unknown, read_unknown(model, parts.vocabulary));
  if (model.type == "WordPiece") {
    WordPieceOptions options;
    options.prefix = model.text("continuing_subword_prefix", "##");
    std::optional<std::uint64_t> longest;
    RAGLINE_CHECK(model.members.count("max_input_chars_per_word", longest));
    options.longest = longest.value_or(100);
    if (!parts.unknown) return fail(ErrorKind::kData, "a WordPiece model needs unk_token");
    options.unknown = *parts.unknown;
    parts.model = word_piece(parts.vocabulary, std::move(options));
    return {};
  }
  if (model.type == "BPE" || (model.type.empty() && model.members.find("merges"))) {
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
      if (!model.text(key).empty())
        return fail(ErrorKind::kData, cat("BPE with ", key, " is not known here"));
    BpeOptions options;
    if (const Field* merges = model.members.find("merges"))
      RAGLINE_CHECK(read_merges(*merges, parts.vocabulary, options));
    options.unknown = parts.unknown;
    options.fuse_unknown = model.flag("fuse_unk", false);
    options.byte_fallback = model.flag("byte_fallback", false);
    options.ignore_merges = model.flag("ignore_merges", false);
    parts.model = byte_pair(parts.vocabulary, std::move(options));
    return {};
  }
  return fail(ErrorKind::kData,
              cat("model '", model.type, "' is not known here: WordPiece, BPE and Unigram are"));
}

Status read_added(const Field& field, std::vector<AddedToken>& out) {
  RAGLINE_TRY(const auto entries, json_elements(field.raw));
  for (const std::string_view entry : entries) {
    RAGLINE_TRY(const Step step, Step::parse(entry));
    AddedToken token;
    token.content = step.text("content");
    std::optional<std::uint64_t> id;
    RAGLINE_CHECK(step.members.count("id", id));
    if (!id || *id > kMostIds || token.content.empty())
      return fail(ErrorKind::kData, "added_tokens has an entry without content or id");
    token.id = static_cast<std::uint32_t>(*id);
    token.single_word = step.flag("single_word", false);
    token.strip_left = step.flag("lstrip", false);
    token.strip_right = step.flag("rstrip", false);
    token.normalised = step.flag("normalized", !step.flag("special", false));
    out.push_back(std::move(token));
  }
  return {};
}

// The special tokens around one text. Other post-processors change no ids.
Status read_template(const Field* field, TokenizerParts& parts) {
  const auto id_of = [&](const std::string& name) -> std::optional<std::uint32_t> {
    for (const AddedToken& token : parts.added)
      if (token.content == name) return token.id;
    return parts.vocabulary.find(name);
  };
  const auto put = [&](const std::string& name, std::vector<std::uint32_t>& out) -> Status {
    const auto id = id_of(name);
    if (!id) return fail(ErrorKind::kData, cat("special token '", name, "' has no id"));
    out.push_back(*id);
    return {};
  };
  return each_step(field, "processors", [&](const Step& step) -> Status {
    if (step.type == "BertProcessing" || step.type == "RobertaProcessing") {
      for (const auto& [key, out] :
           {std::pair{"cls", &parts.before}, std::pair{"sep", &parts.after}}) {
        const Field* pair = step.members.find(key);
        const auto elements =
            pair ? json_elements(pair->raw) : Result<std::vector<std::string_view>>();
        if (!elements || elements->empty())
          return fail(ErrorKind::kData, cat(step.type, " has no ", key));
        RAGLINE_CHECK(put(json_scalar_text(elements->front()).value_or(""), *out));
      }
      return {};
    }
    if (step.type != "TemplateProcessing") return {};
    const Field* single = step.members.find("single");
    if (!single) return fail(ErrorKind::kData, "TemplateProcessing has no single");
    RAGLINE_TRY(const auto elements, json_elements(single->raw));
    bool behind = false;
    for (const std::string_view element : elements) {
      RAGLINE_TRY(const JsonMembers members, JsonMembers::parse(element));
      if (members.find("Sequence")) behind = true;
      const Field* special = members.find("SpecialToken");
      if (!special) continue;
      RAGLINE_TRY(const Step token, Step::parse(special->raw));
      RAGLINE_CHECK(put(token.text("id"), behind ? parts.after : parts.before));
    }
    return {};
  });
}

}  // namespace

Result<Tokenizer> Tokenizer::parse(std::string_view json) {
  RAGLINE_TRY(const JsonMembers file, JsonMembers::parse(json));
  TokenizerParts parts;
  const Field* model_field = file.find("model");
  if (!model_field)
    return fail(ErrorKind::kData,
                "there is no model: give a tokenizer.json of Hugging Face's tokenizers");
  RAGLINE_TRY(const Step model, Step::parse(model_field->raw));
  if (auto status = read_model(model, parts); !status)
    return std::unexpected(at("model", status.error()));
  if (const Field* added = file.find("added_tokens"))
    RAGLINE_CHECK(read_added(*added, parts.added));

  std::optional<BertOptions> bert;
  bool bert_split = false;
  RAGLINE_CHECK(each_step(file.find("normalizer"), "normalizers", [&](const Step& step) -> Status {
    RAGLINE_TRY(auto made, read_normalizer(step));
    if (step.type == "BertNormalizer") bert = bert_options(step);
    parts.normalizers.push_back(std::move(made));
    return {};
  }));
  RAGLINE_CHECK(
      each_step(file.find("pre_tokenizer"), "pretokenizers", [&](const Step& step) -> Status {
        RAGLINE_TRY(auto made, read_split(step));
        bert_split = step.type == "BertPreTokenizer";
        parts.splits.push_back(std::move(made));
        return {};
      }));
  if (bert && bert_split && parts.normalizers.size() == 1 && parts.splits.size() == 1 &&
      model.type == "WordPiece")
    parts.bert = bert;
  RAGLINE_CHECK(read_template(file.find("post_processor"), parts));
  return Tokenizer(std::move(parts));
}

}  // namespace ragline
