#include "search/plan.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "core/utf8.h"
#include "lexical/word_hash.h"

namespace ragline {

namespace {

// What a term's role counts, relative to the word itself; analysis/analyzer.h says how the values were found.
double role_boost(TermRole role) {
  switch (role) {
    case TermRole::kPart: return 0.3;
    case TermRole::kWhole:
    case TermRole::kExact: return 0.1;
    default: return 1;
  }
}

bool is_spelling(TermRole role) { return role == TermRole::kWord || role == TermRole::kFolded; }

// Whether any group has musts or exclusions: only then conditions are looked at.
bool is_strict(const QueryNode& node) {
  return std::any_of(node.children.begin(), node.children.end(),
                     [](const QueryNode& child) { return child.occur != Occur::kShould || is_strict(child); });
}

// One letter of a script that is indexed in pairs: found as the beginning of pairs.
bool is_single_cjk(std::string_view term) {
  std::size_t at = 0;
  if (term.empty()) return false;
  const char32_t c = next_code_point(term, at);
  return at == term.size() && ((c >= 0x3040 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x4E00 && c <= 0x9FFF) ||
                               (c >= 0xAC00 && c <= 0xD7AF) || (c >= 0xF900 && c <= 0xFAFF) || c >= 0x20000);
}

class Planner {
 public:
  Planner(bool strict, const std::vector<Language>& languages, const std::vector<Field>& fields, const FieldBoosts& boosts, Analyzer& analyzer, ExpansionCache& expansions, Plan& plan)
      : strict_(strict), languages_(languages), fields_(fields), boosts_(boosts), analyzer_(analyzer), expansions_(expansions), plan_(plan) {}

  // The condition of a group, and its leaves; `gates` are those of the groups around it.
  Condition group(const QueryNode& node, double boost, std::vector<int> gates, bool root) {
    const bool strict = std::any_of(node.children.begin(), node.children.end(), [](const QueryNode& child) { return child.occur != Occur::kShould; });
    int gate = -1;
    if (strict) {
      gate = static_cast<int>(plan_.gates.size());
      plan_.gates.emplace_back();
      if (!root) gates.push_back(gate);
    }
    Condition any{Condition::Kind::kAny, 0, {}}, all{Condition::Kind::kAll, 0, {}}, none{Condition::Kind::kAny, 0, {}};
    for (const QueryNode& child : node.children) {
      if (child.occur == Occur::kMustNot) {
        none.children.push_back(excluded(child));
        continue;
      }
      Condition condition = positive(child, boost * child.boost, gates);
      if (condition.kind == Condition::Kind::kAny && condition.children.empty()) continue;  // stop words only
      (child.occur == Occur::kMust ? all : any).children.push_back(std::move(condition));
    }
    if (!strict) return any;
    const bool has_musts = !all.children.empty();
    if (!has_musts) {
      if (any.children.empty() && root) plan_.only_exclusions = !none.children.empty();
      all.children.push_back(std::move(any));
    }
    if (!none.children.empty()) all.children.push_back({Condition::Kind::kNot, 0, {std::move(none)}});
    plan_.gates[static_cast<std::size_t>(gate)] = all;
    if (root) {
      plan_.root_gate = plan_.meaning_gate = gate;
      if (!has_musts) {
        Condition exclusions = all;
        exclusions.children.erase(exclusions.children.begin());
        plan_.meaning_gate = static_cast<int>(plan_.gates.size());
        plan_.gates.push_back(std::move(exclusions));
      }
    }
    return all;
  }

 private:
  Condition positive(const QueryNode& node, double boost, const std::vector<int>& gates) {
    if (node.kind == QueryNode::Kind::kGroup) {
      // A group's field holds for what names none inside it.
      QueryNode inside = node;
      if (!node.any_field)
        for (QueryNode& child : inside.children) inherit_field(child, node.field);
      return group(inside, boost, gates, false);
    }
    return words(node, boost, gates);
  }

  // Exclusions test postings and add nothing to the score: boost 0 marks their leaves.
  Condition excluded(const QueryNode& node) { return positive(node, 0, {}); }

  static void inherit_field(QueryNode& node, Field field) {
    if (!node.any_field) return;
    node.any_field = false;
    node.field = field;
  }

  double field_boost(const QueryNode& node, Field field) const {
    if (!node.any_field) return node.field == field ? 1 : 0;
    return boosts_.by_field[field_index(field)];
  }

  Condition words(const QueryNode& node, double boost, const std::vector<int>& gates) {
    std::vector<RawWord> raw;
    analyzer_.split_words(node.text, raw);
    Condition any{Condition::Kind::kAny, 0, {}};
    if (node.kind == QueryNode::Kind::kPhrase) {
      phrase(node, raw, boost, gates, any);
    } else {
      for (const RawWord& word : raw)
        one_word(node, std::string_view(node.text).substr(word.begin, word.end - word.begin), boost, gates, any);
    }
    return any;
  }

  void one_word(const QueryNode& node, std::string_view word, double boost, const std::vector<int>& gates, Condition& any) {
    const std::uint32_t first_number = next_word_;
    std::uint32_t used = 0;
    bool kept = false;
    for (Language language : languages_) {
      const Expansion& expansion = expansions_.at(analyzer_, word, language);
      if (expansion.terms.empty()) continue;
      kept = true;
      // The word is there when all its parts are; a part when one of its spellings is, or all of its pieces.
      Condition parts{Condition::Kind::kAll, 0, {}};
      Condition pieces{Condition::Kind::kAll, 0, {}};
      auto close_part = [&] {
        if (!pieces.children.empty() && !parts.children.empty()) parts.children.back().children.push_back(std::exchange(pieces, {Condition::Kind::kAll, 0, {}}));
      };
      std::uint32_t number = first_number;
      for (std::size_t i = 0; i < expansion.terms.size();) {
        const Term& term = expansion.terms[i];
        std::size_t end = i + 1;
        if (is_spelling(term.role))
          while (end < expansion.terms.size() && expansion.terms[end].position == term.position && is_spelling(expansion.terms[end].role)) ++end;
        // A prefix or a misspelt word is looked up as one; the tail of a CJK run is indexed only.
        if (term.role == TermRole::kTail || (node.kind != QueryNode::Kind::kText && number > first_number)) {
          i = end;
          continue;
        }
        Condition leaves{Condition::Kind::kAny, 0, {}};
        for (Field field : fields_) {
          const double weight = field_boost(node, field);
          if (weight > 0) note(leaves, add(leaf_of(expansion, node, word, language, field, i, end, boost * weight, number, gates)));
        }
        if (is_spelling(term.role) && !leaves.children.empty()) {
          close_part();
          parts.children.push_back(std::move(leaves));
        } else if (term.role == TermRole::kPart && !leaves.children.empty()) {
          pieces.children.push_back(std::move(leaves));
        }
        ++number;
        i = end;
      }
      close_part();
      used = std::max(used, number - first_number);
      if (!parts.children.empty()) any.children.push_back(std::move(parts));
    }
    next_word_ += used;
    if (boost > 0) (kept ? plan_.words : plan_.dropped).emplace_back(word);
  }

  // The leaf of terms [first, last) of the expansion in hand: spellings of one part, or one term of another role.
  Leaf leaf_of(const Expansion& expansion, const QueryNode& node, std::string_view word, Language language, Field field, std::size_t first, std::size_t last, double boost,
               std::uint32_t number, const std::vector<int>& gates) const {
    const Term& term = expansion.terms[first];
    Leaf leaf;
    leaf.language = language;
    leaf.field = field;
    leaf.boost = boost * role_boost(term.role);
    leaf.word = number;
    leaf.label = term.text;
    leaf.gates = gates;
    for (std::size_t i = first; i < last; ++i) leaf.keys.push_back(term_key(field, language, expansion.terms[i].text));
    if (node.kind == QueryNode::Kind::kPrefix || is_single_cjk(term.text)) {
      leaf.kind = Leaf::Kind::kPrefix;
      leaf.keys.insert(leaf.keys.begin(), term_key(field, language, node.kind == QueryNode::Kind::kPrefix ? fold_text(word) : term.text));
      leaf.label += "*";
    } else if (node.kind == QueryNode::Kind::kFuzzy) {
      leaf.kind = Leaf::Kind::kFuzzy;
      leaf.slop = node.distance;
      append(leaf.label, "~", node.distance);
    }
    return leaf;
  }

  void phrase(const QueryNode& node, const std::vector<RawWord>& raw, double boost, const std::vector<int>& gates, Condition& any) {
    bool kept = false;
    for (Language language : languages_) {
      std::vector<std::pair<std::uint32_t, std::vector<std::string>>> slots;  // offset, spellings
      std::uint32_t offset = 0;
      for (const RawWord& word : raw) {
        const Expansion& expansion = expansions_.at(analyzer_, std::string_view(node.text).substr(word.begin, word.end - word.begin), language);
        for (const Term& term : expansion.terms) {
          if (!is_spelling(term.role) && term.role != TermRole::kPart) continue;
          const std::uint32_t at = offset + term.position;
          if (slots.empty() || slots.back().first != at) slots.push_back({at, {}});
          slots.back().second.push_back(term.text);
        }
        offset += expansion.positions;
      }
      if (slots.empty()) continue;
      for (Field field : fields_) {
        const double weight = field_boost(node, field);
        if (weight == 0) continue;
        Leaf leaf;
        leaf.kind = slots.size() == 1 ? Leaf::Kind::kTerms : Leaf::Kind::kPhrase;
        leaf.language = language;
        leaf.field = field;
        leaf.slop = node.distance;
        leaf.boost = boost * weight;
        leaf.word = next_word_;
        leaf.label = cat("\"", node.text, "\"");
        leaf.gates = gates;
        for (const auto& [at, spellings] : slots) {
          Leaf::Slot slot{at - slots.front().first, {}};
          for (const std::string& spelling : spellings) slot.keys.push_back(term_key(field, language, spelling));
          if (slots.size() == 1) {
            leaf.keys = std::move(slot.keys);
          } else {
            leaf.slots.push_back(std::move(slot));
          }
        }
        note(any, add(std::move(leaf)));
        kept = true;
      }
    }
    ++next_word_;
    if (boost > 0) (kept ? plan_.words : plan_.dropped).push_back(node.text);
  }

  void note(Condition& condition, std::uint32_t leaf) const {
    if (strict_) condition.children.push_back({Condition::Kind::kLeaf, leaf, {}});
  }

  // A word asked twice counts twice: its leaves join.
  std::uint32_t add(Leaf&& leaf) {
    std::uint64_t hash = leaf.slop;
    for (const std::string& key : leaf.keys) hash = word_hash(key, hash);
    for (const Leaf::Slot& slot : leaf.slots)
      for (const std::string& key : slot.keys) hash = word_hash(key, hash);
    for (std::size_t i = 0; i < hashes_.size(); ++i) {
      Leaf& other = plan_.leaves[i];
      if (hashes_[i] != hash || !other.same_postings(leaf) || other.gates != leaf.gates) continue;
      other.boost += leaf.boost;
      return static_cast<std::uint32_t>(i);
    }
    hashes_.push_back(hash);
    plan_.leaves.push_back(std::move(leaf));
    return static_cast<std::uint32_t>(plan_.leaves.size() - 1);
  }

  const bool strict_;
  const std::vector<Language>& languages_;
  const std::vector<Field>& fields_;
  const FieldBoosts& boosts_;
  Analyzer& analyzer_;
  ExpansionCache& expansions_;
  Plan& plan_;
  std::vector<std::uint64_t> hashes_;  // of the leaves' keys
  std::uint32_t next_word_ = 0;
};

}  // namespace

const Expansion& ExpansionCache::at(Analyzer& analyzer, std::string_view word, Language language) {
  constexpr std::size_t kMostWords = 1 << 15;
  if (words_.size() > kMostWords) words_.clear();
  key_.assign(1, static_cast<char>(language));
  key_ += word;
  auto [place, added] = words_.try_emplace(key_);
  if (added) analyzer.expand(word, language, place->second);
  return place->second;
}

bool Leaf::same_postings(const Leaf& other) const {
  auto same_slots = [](const Slot& a, const Slot& b) { return a.offset == b.offset && a.keys == b.keys; };
  return kind == other.kind && slop == other.slop && keys == other.keys &&
         std::equal(slots.begin(), slots.end(), other.slots.begin(), other.slots.end(), same_slots);
}

Plan make_plan(const QueryNode& root, const std::vector<Language>& languages, const std::vector<Field>& fields, const FieldBoosts& boosts,
               Analyzer& analyzer, ExpansionCache& expansions) {
  Plan plan;
  Planner(is_strict(root), languages, fields, boosts, analyzer, expansions, plan).group(root, 1, {}, true);
  return plan;
}

}  // namespace ragline
