#include "index/filter_evaluate.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "index/filter_terms.h"
#include "index/filter_value.h"
#include "lexical/field.h"

namespace ragline {

namespace {

using Kind = FilterNode::Kind;
using Op = FilterNode::Op;
using Order = FilterTest::Order;

// Where a name's values are.
struct Name {
  enum class Place { kTerms, kPath, kDocumentId, kFrom, kTo } place = Place::kTerms;
  Order order = Order::kMetadata;
  std::string term;  // kTerms: the name of the filter terms
};

Name resolve(std::string_view name) {
  using Place = Name::Place;
  if (name == "path") return {Place::kPath, Order::kBytes, {}};
  if (name == "document_id") return {Place::kDocumentId, Order::kBytes, {}};
  if (name == "effective_from") return {Place::kFrom, Order::kBytes, {}};
  if (name == "effective_to") return {Place::kTo, Order::kBytes, {}};
  if (name == "language") return {Place::kTerms, Order::kLanguage, std::string(name)};
  if (name == "version") return {Place::kTerms, Order::kNatural, std::string(name)};
  static constexpr std::array<std::string_view, 4> kOwn = {"media_type", "block_type", "tenant",
                                                           "title"};
  if (std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end())
    return {Place::kTerms, Order::kBytes, std::string(name)};
  if (name.starts_with("metadata.")) name.remove_prefix(9);
  return {Place::kTerms, Order::kMetadata, cat(kMetadataPrefix, name)};
}

template <class Test>
void add_documents(const Segment& segment, Bitmap& set, Test test) {
  const auto first = segment.first_chunks();
  for (std::uint32_t i = 0; i < segment.document_count(); ++i)
    if (test(segment.document(i))) set.set_range(first[i], first[i + 1]);
}

// Where `value` compares so with the name; `op` is not kNotEqual.
void add_matching(const Segment& segment, const Name& name, Op op, const std::string& value,
                  Bitmap& set) {
  using Place = Name::Place;
  if (name.place == Place::kFrom || name.place == Place::kTo) {
    const auto time =
        parse_time(value);  // parse_filter has checked it; one made by hand may be none
    if (!time) return;
    add_documents(segment, set, [&](const DocumentEntry& entry) {
      return holds(op, name.place == Place::kFrom ? entry.effective_from : entry.effective_to,
                   *time);
    });
    return;
  }
  const FilterTest test(op, value, name.order);
  if (name.place == Place::kPath) {
    add_documents(segment, set, [&](const DocumentEntry& entry) { return test(entry.path); });
  } else if (name.place == Place::kDocumentId) {
    add_documents(segment, set,
                  [&](const DocumentEntry& entry) { return test(entry.document_id); });
  } else {
    const bool exact = op == Op::kEqual && name.order != Order::kLanguage &&
                       (name.order != Order::kMetadata || FilterValue(value).is_bytes());
    if (exact)
      collect_term(segment, name.term, filter_value(value), set);
    else
      collect_terms(segment, name.term + '\x1F', test, set);
  }
}

void add_existing(const Segment& segment, const Name& name, Bitmap& set) {
  using Place = Name::Place;
  switch (name.place) {
    case Place::kTerms: {
      const auto any = [](std::string_view) { return true; };
      collect_terms(segment, name.term + '\x1F', any, set);
      if (name.order == Order::kMetadata) collect_terms(segment, name.term + '.', any, set);
      break;
    }
    case Place::kPath:
      add_documents(segment, set, [](const DocumentEntry& entry) { return !entry.path.empty(); });
      break;
    case Place::kDocumentId:
      set.set_range(0, set.size());
      break;
    case Place::kFrom:
      add_documents(segment, set,
                    [](const DocumentEntry& entry) { return entry.effective_from != kMinTime; });
      break;
    case Place::kTo:
      add_documents(segment, set,
                    [](const DocumentEntry& entry) { return entry.effective_to != kMaxTime; });
      break;
  }
}

}  // namespace

void collect_term(const Segment& segment, std::string_view name, std::string_view value,
                  Bitmap& set) {
  segment.postings().list(filter_key(name, value)).collect(set);
}

void collect_terms(const Segment& segment, std::string_view prefix,
                   const std::function<bool(std::string_view rest)>& wants, Bitmap& set) {
  std::string key = filter_key(prefix, "");
  key.pop_back();  // the 0x1F that ends a name: `prefix` brings its own, or ends inside a name
  const SegmentPostings& postings = segment.postings();
  for (TermIterator term = postings.seek(key); term.valid() && term.key().starts_with(key);
       term.next())
    if (wants(std::string_view(term.key()).substr(key.size())))
      postings.list(term.info()).collect(set);
}

Bitmap evaluate_filter(const FilterNode& filter, const Segment& segment) {
  Bitmap set(segment.chunk_count());
  switch (filter.kind) {
    case Kind::kAnd:
      set.flip();
      for (const FilterNode& child : filter.children) set &= evaluate_filter(child, segment);
      return set;
    case Kind::kOr:
      for (const FilterNode& child : filter.children) set |= evaluate_filter(child, segment);
      return set;
    case Kind::kNot:
      return evaluate_filter(filter.children.front(), segment).flip();
    case Kind::kCompare: {
      const bool negated = filter.op == Op::kNotEqual;
      add_matching(segment, resolve(filter.name), negated ? Op::kEqual : filter.op,
                   filter.values.front(), set);
      if (negated) set.flip();
      return set;
    }
    case Kind::kIn:
      for (const std::string& value : filter.values)
        add_matching(segment, resolve(filter.name), Op::kEqual, value, set);
      return set;
    case Kind::kExists:
      add_existing(segment, resolve(filter.name), set);
      return set;
  }
  return set;
}

}  // namespace ragline
