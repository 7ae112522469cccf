// Two passes, both left to right. The first (find_marks) finds which quotes and brackets are
// operators: it alone decides what pairs with what. The second reads the items between marks, so
// that it never looks ahead for a partner, and an unpaired quote or bracket is a character like any
// other. In `f(a) (b OR "c d")` the marks are the quotes and the second pair of brackets.
#include "lexical/query.h"

#include <algorithm>
#include <optional>

#include "core/text.h"
#include "lexical/query_syntax.h"

namespace ragline {

using namespace query_syntax;

namespace {

constexpr std::size_t kMaxNesting = 32, kMaxNodes = 4096;

// Where the next '"' that no backslash hides is, on this line; npos when there is none, or nothing
// in between is a word.
std::size_t phrase_end(std::string_view query, std::size_t begin) {
  bool word = false;
  for (std::size_t at = begin; at < query.size() && query[at] != '\n'; ++at) {
    if (query[at] == '"') return word ? at : query.npos;
    if (is_escape(query, at)) ++at;
    word = word || is_letter_or_digit(query[at]);
  }
  return query.npos;
}

// For each byte that opens a phrase or group: where it closes; for each that closes one: 1.
// Elsewhere 0.
std::vector<std::uint32_t> find_marks(std::string_view query) {
  std::vector<std::uint32_t> marks(query.size(), 0);
  struct Open {
    std::size_t at;
    bool group;  // else a bracket in a word, which only takes its ')'
  };
  std::vector<Open> open;
  std::size_t groups = 0;
  std::size_t last_solid = 0;  // the last byte that is no blank
  // What the bytes of the current word have been so far.
  enum class Seen { kNothing, kSign, kField, kText } seen = Seen::kNothing;
  for (std::size_t at = 0; at < query.size(); ++at) {
    const char c = query[at];
    const Seen before = seen;
    if (is_blank(c)) {
      seen = Seen::kNothing;
      continue;
    }
    seen = Seen::kText;
    if (is_escape(query, at)) {
      ++at;
    } else if (c == '"' && before != Seen::kText) {
      if (const auto end = phrase_end(query, at + 1); end != query.npos) {
        marks[at] = static_cast<std::uint32_t>(end);
        marks[end] = 1;
        at = end;
      }
    } else if (c == '(') {
      const bool group = before != Seen::kText && groups < kMaxNesting;
      open.push_back({at, group});
      if (group) {
        ++groups;
        seen = Seen::kNothing;
      }
    } else if (c == ')' && !open.empty()) {
      const Open opening = open.back();
      open.pop_back();
      if (opening.group) {
        --groups;
        if (last_solid > opening.at) {
          marks[opening.at] = static_cast<std::uint32_t>(at);
          marks[at] = 1;
        }
      }
    } else if ((c == '+' || c == '-') && before == Seen::kNothing) {
      seen = Seen::kSign;
    } else if (before <= Seen::kSign) {
      if (const auto name = field_name(query.substr(at)); !name.empty()) {
        at += name.size();  // the colon; the loop steps past it
        seen = Seen::kField;
      }
    }
    last_solid = at;
  }
  return marks;
}

class Parser {
 public:
  explicit Parser(std::string_view query)
      : query_(query), marks_(find_marks(query)), capitals_(all_capitals(query)) {}

  QueryNode parse() {
    QueryNode root;
    read_items(root, 0, query_.size());
    if (nodes_ <= kMaxNodes) return root;
    // Not a question that anybody typed.
    QueryNode whole;
    whole.kind = QueryNode::Kind::kText;
    whole.text = trim(query_);
    whole.end = static_cast<std::uint32_t>(query_.size());
    root.children.assign(1, std::move(whole));
    return root;
  }

 private:
  // What the next item of a group has to know of the ones before it.
  struct Items {
    QueryNode& group;
    bool run = false;              // the last child is plain text that the next word may lengthen
    std::size_t before_text = 0;   // of that child without its last word: the length of its text,
    std::uint32_t before_end = 0;  // its end, 0 when it has only one word,
    std::uint32_t word_begin = 0;  // and where the last word begins
    enum class Link { kNone, kAnd, kOr } link = Link::kNone;
  };

  bool opens(std::size_t at) const { return at < query_.size() && marks_[at] > 1; }
  bool at_border(std::size_t at, std::size_t end) const {
    return at >= end || is_blank(query_[at]);
  }

  void read_items(QueryNode& group, std::size_t at, std::size_t end) {
    Items items{.group = group};
    while (at < end && nodes_ <= kMaxNodes) {
      if (is_blank(query_[at])) {
        ++at;
        continue;
      }
      at = read_link(items, at, end);
      if (at_border(at, end)) continue;
      at = read_item(items, at, end);
      while (!at_border(
          at,
          end)) {  // what sticks to a phrase, a group or an odd word is text, or a phrase or group
        QueryNode node;
        node.begin = static_cast<std::uint32_t>(at);
        if (opens(at)) {
          at = read_pair(items, std::move(node), at, end);
        } else {
          const std::size_t word_end = find_word_end(at, end);
          node.kind = QueryNode::Kind::kText;
          node.text = unescape(query_.substr(at, word_end - at));
          at = word_end;
          add(items, std::move(node), at);
        }
      }
    }
  }

  // Steps past AND or OR, when something stands on both sides.
  std::size_t read_link(Items& items, std::size_t at, std::size_t end) const {
    if (capitals_ || items.group.children.empty() || items.link != Items::Link::kNone) return at;
    const std::string_view word = link_word(query_.substr(at, end - at));
    if (word.empty()) return at;
    std::size_t next = at + word.size();
    while (next < end && is_blank(query_[next])) ++next;
    if (next == end) return at;
    items.link = word == "AND" ? Items::Link::kAnd : Items::Link::kOr;
    return at + word.size();
  }

  // One item at the beginning of a word.
  std::size_t read_item(Items& items, std::size_t at, std::size_t end) {
    QueryNode node;
    node.begin = static_cast<std::uint32_t>(at);
    std::size_t value = at;
    if (query_[at] == '+' || query_[at] == '-') {
      node.occur = query_[at] == '+' ? Occur::kMust : Occur::kMustNot;
      ++value;
    }
    const bool is_signed = value > at;
    const std::string_view name = field_name(query_.substr(value, end - value));
    if (!name.empty()) {
      node.any_field = false;
      node.field = field_of(name);
      value += name.size() + 1;
    }
    if (value < end && opens(value)) return read_pair(items, std::move(node), value, end);
    if (!name.empty() && !is_field_value(query_.substr(value, find_word_end(value, end) - value))) {
      node.any_field = true;
      value -= name.size() + 1;
    }
    if (is_signed && node.any_field && (value >= end || !begins_signed_word(query_[value]))) {
      node.occur = Occur::kShould;
      value = at;
    }
    const std::size_t word_end = find_word_end(value, end);
    // Something that opens in the middle of a word leaves no room for an ending.
    read_word(node, query_.substr(value, word_end - value), at_border(word_end, end));
    add(items, std::move(node), word_end);
    return word_end;
  }

  // A phrase or a group with its endings; `at` is where it opens.
  std::size_t read_pair(Items& items, QueryNode&& node, std::size_t at, std::size_t end) {
    const std::size_t close = marks_[at];
    ++nodes_;
    if (query_[at] == '"') {
      node.kind = QueryNode::Kind::kPhrase;
      node.text = unescape(query_.substr(at + 1, close - at - 1));
    } else {
      read_items(node, at + 1, close);
    }
    std::size_t word_end = close + 1;
    while (word_end < end && !is_blank(query_[word_end]) && !marks_[word_end]) ++word_end;
    std::string_view endings = query_.substr(close + 1, word_end - close - 1);
    const std::optional<double> boost = take_boost(endings);
    std::optional<std::uint32_t> slop;
    if (node.kind == QueryNode::Kind::kPhrase) slop = take_slop(endings);
    std::size_t after = close + 1;
    if (endings.empty() && at_border(word_end, end)) {
      node.boost = boost.value_or(1);
      node.distance = slop.value_or(0);
      after = word_end;
    }
    append(items, std::move(node), after);
    return after;
  }

  // Sets kind and text of a word, its endings read when `whole`.
  static void read_word(QueryNode& node, std::string_view word, bool whole) {
    node.kind = QueryNode::Kind::kText;
    if (whole) {
      std::string_view base = word;
      if (const auto boost = take_boost(base); boost && !base.empty()) {
        node.boost = *boost;
        word = base;
      }
      if (const auto edits = take_edits(base)) {
        node.kind = QueryNode::Kind::kFuzzy;
        node.distance = *edits;
        word = base;
      } else if (take_star(base)) {
        node.kind = QueryNode::Kind::kPrefix;
        word = base;
      }
    }
    node.text = unescape(word);
  }

  std::size_t find_word_end(std::size_t at, std::size_t end) const {
    while (at < end && !is_blank(query_[at]) && !marks_[at]) at += is_escape(query_, at) ? 2 : 1;
    return std::min(at, end);
  }

  // Adds a word, to the run of text before it where both are plain.
  void add(Items& items, QueryNode&& node, std::size_t end) {
    const bool plain = node.kind == QueryNode::Kind::kText && node.occur == Occur::kShould &&
                       node.any_field && node.boost == 1;
    if (!plain || !items.run || items.link != Items::Link::kNone) {
      ++nodes_;
      const std::uint32_t begin = node.begin;
      append(items, std::move(node), end);
      items.run = plain && items.group.children.back().occur == Occur::kShould;
      items.before_end = 0;
      items.word_begin = begin;
      return;
    }
    QueryNode& run = items.group.children.back();
    items.before_text = run.text.size();
    items.before_end = run.end;
    items.word_begin = node.begin;
    // Escapes are resolved by word, so that "\AND" is known by its beginning.
    run.text += query_.substr(run.end, node.begin - run.end);
    run.text += node.text;
    run.end = static_cast<std::uint32_t>(end);
  }

  void append(Items& items, QueryNode&& node, std::size_t end) {
    node.end = static_cast<std::uint32_t>(end);
    if (items.link == Items::Link::kAnd) {
      split_last_word(items);
      for (QueryNode* side : {&items.group.children.back(), &node})
        if (side->occur == Occur::kShould) side->occur = Occur::kMust;
    }
    items.link = Items::Link::kNone;
    items.run = false;
    items.group.children.push_back(std::move(node));
  }

  // The left side of AND is one word, not the run that it ends.
  void split_last_word(Items& items) {
    if (!items.run || items.before_end == 0) return;
    QueryNode& run = items.group.children.back();
    QueryNode word;
    word.kind = QueryNode::Kind::kText;
    word.text = run.text.substr(items.before_text + (items.word_begin - items.before_end));
    word.begin = items.word_begin;
    word.end = run.end;
    run.text.resize(items.before_text);
    run.end = items.before_end;
    ++nodes_;
    items.group.children.push_back(std::move(word));
  }

  std::string_view query_;
  std::vector<std::uint32_t> marks_;
  bool capitals_;
  std::size_t nodes_ = 0;
};

}  // namespace

bool QueryNode::operator==(const QueryNode& other) const {
  return kind == other.kind && occur == other.occur && any_field == other.any_field &&
         (any_field || field == other.field) && text == other.text && distance == other.distance &&
         boost == other.boost && children == other.children;
}

QueryNode parse_query(std::string_view query) {
  return Parser(query.substr(0, UINT32_MAX)).parse();
}

}  // namespace ragline
