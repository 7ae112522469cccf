// simdjson finds the structure of a line and checks its UTF-8 at several GB/s; its On-Demand front
// end cuts the object into fields. On-Demand checks only what it is asked for, so the inside of
// every field is checked here: by reading it, or, where it is only kept, by JsonScanner. The UTF-8
// check covers the whole line.
#include "record/reader.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <span>

#include "core/text.h"
#include "core/utf8.h"
#include "record/field.h"
#include "record/json_bytes.h"
#include "record/json_scan.h"
#include "record/members.h"

namespace ragline {

namespace ondemand = simdjson::ondemand;

namespace {

Error utf8_fault(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t start = at;
    if (next_code_point(text, at) == 0xFFFD && text.substr(start, 3) != "\xEF\xBF\xBD") {
      at = start;
      break;
    }
  }
  return {ErrorKind::kData,
          cat("not UTF-8 at byte ", at, ": convert the input, for example with iconv -t UTF-8")};
}

// Why `line` is not JSON, by a second, slower look with better words. Success when it is.
Status check_line(std::string_view line) {
  if (!is_utf8(line)) return std::unexpected(utf8_fault(line));
  return check_json_grammar(line);
}

// Fills the members of one record from fields in any order. Fields mostly come in the order of the
// lists in members.h, so one walk over a list takes many of them, each at the price of one
// comparison of names.
class MemberReader {
 public:
  explicit MemberReader(std::span<const Field> fields)
      : at_(fields.data()), end_(at_ + fields.size()) {}

  template <class T>
  Status read(T& record) {
    while (at_ != end_) {
      const Field* const before = at_;
      rest_ = nullptr;
      open_ = nullptr;
      each_member(*this, record);
      if (!status_) return std::move(status_);
      if (at_ == before) RAGLINE_CHECK(keep());
    }
    return {};
  }

  void text(std::string_view name, std::string& out) {
    if (here(name)) took(read_text(*at_, out));
  }
  // path_b64, wherever it stands, has the bytes.
  void path(std::string_view name, std::string& out) {
    if (here(name)) {
      std::string utf8;
      took(read_text(*at_, path_is_bytes_ ? utf8 : out));
    }
    if (here("path_b64")) {
      path_is_bytes_ = at_->raw != "null";
      if (path_is_bytes_) {
        took(read_base64(*at_, out));
      } else {
        ++at_;
      }
    }
  }
  void count(std::string_view name, std::uint64_t& out) {
    if (here(name)) took(read_count(*at_, out));
  }
  void optional_count(std::string_view name, std::optional<std::uint64_t>& out) {
    if (here(name)) took(read_optional_count(*at_, out));
  }
  void number(std::string_view name, double& out) {
    if (here(name)) took(read_number(*at_, out));
  }
  void flag(std::string_view name, bool& out) {
    if (here(name)) took(read_flag(*at_, out));
  }
  void list(std::string_view name, std::vector<std::string>& out) {
    if (here(name)) took(read_list(*at_, out));
  }
  void optional_list(std::string_view name, std::optional<std::vector<std::string>>& out) {
    if (here(name)) took(read_optional_list(*at_, out));
  }
  void lines(std::string_view name, std::optional<LineSpan>& out) {
    if (here(name)) took(read_lines(*at_, out));
  }
  void bytes(std::string_view name, std::optional<ByteSpan>& out) {
    if (here(name)) took(read_bytes(*at_, out));
  }
  void object(std::string_view name, RawJson& out) {
    if (here(name)) took(read_json(*at_, '{', out));
  }
  void array(std::string_view name, RawJson& out) {
    if (here(name)) took(read_json(*at_, '[', out));
  }
  void raw(std::string_view name, RawJson& out) {
    if (here(name)) took(read_json(*at_, 0, out));
  }
  void scores(std::string_view name, std::vector<ArmScore>& out) {
    if (here(name)) took(read_scores(*at_, out));
  }
  void counts(std::string_view name, std::vector<std::pair<std::string, std::uint64_t>>& out) {
    if (here(name)) took(read_counts(*at_, out));
  }
  void numbers(std::string_view name, std::vector<std::pair<std::string, double>>& out) {
    if (here(name)) took(read_numbers(*at_, out));
  }
  void open_counts(std::vector<std::pair<std::string, std::uint64_t>>& out) { open_ = &out; }
  void rest(std::string& extra) { rest_ = &extra; }

 private:
  bool here(std::string_view name) const { return at_ != end_ && at_->key == name && status_; }
  void took(Status status) {
    if (!status) status_ = std::move(status);
    ++at_;
  }
  // A field that the record's list does not name.
  Status keep() {
    const Field& field = *at_++;
    if (field.key == "type") return {};
    const auto number = open_ ? count_of(field.raw) : std::nullopt;
    if (!number) return keep_field(field, *rest_);
    open_->emplace_back(field.key, *number);
    return {};
  }

  const Field* at_;
  const Field* end_;
  Status status_;
  bool path_is_bytes_ = false;
  std::string* rest_ = nullptr;
  std::vector<std::pair<std::string, std::uint64_t>>* open_ = nullptr;
};

template <class T>
Result<Record> read_as(std::span<const Field> fields) {
  Result<Record> record(std::in_place, std::in_place_type<T>);
  if (auto status = MemberReader(fields).read(std::get<T>(*record)); !status)
    record = std::unexpected(std::move(status).error());
  return record;
}

}  // namespace

struct RecordParser::State {
  RowKind untyped = RowKind::kDocument;
  ondemand::parser parser;
  std::unique_ptr<char[]> padded;  // the line, and the padding that simdjson reads behind it
  std::size_t capacity = 0;
  std::vector<Field> fields;
  std::deque<std::string> keys;  // those that hold escapes

  std::string_view pad(std::string_view line) {
    if (line.size() > capacity || !padded) {
      capacity = std::max<std::size_t>({line.size(), 2 * capacity, 4096});
      padded = std::make_unique_for_overwrite<char[]>(capacity + simdjson::SIMDJSON_PADDING);
    }
    if (!line.empty()) std::memcpy(padded.get(), line.data(), line.size());  // data() may be null
    std::memset(padded.get() + line.size(), ' ', simdjson::SIMDJSON_PADDING);
    return {padded.get(), line.size()};
  }

  bool add(ondemand::field field) {
    const char* const key = field.key().raw();
    const char* end = key;
    bool escapes = false;
    while (true) {
      const std::uint64_t word = load_word(end);  // the padding allows it
      const std::uint64_t mask = mask_equal(word, '"') | mask_equal(word, '\\');
      end += mask ? first_hit(mask) : 8;
      if (!mask) continue;
      if (*end == '"') break;
      escapes = true;
      end += 2;
    }
    Field out;
    out.raw_key = {key - 1, static_cast<std::size_t>(end - key) + 2};
    out.key = {key, static_cast<std::size_t>(end - key)};
    if (escapes) {
      // The grammar of a key is checked like that of any string, which unescaping alone would not
      // do.
      if (!check_json_grammar(out.raw_key)) return false;
      std::string& plain = keys.emplace_back();
      append_unescaped(plain, out.key);
      out.key = plain;
    }
    ondemand::value& value = field.value();
    std::string_view token = value.raw_json_token();
    if (token.starts_with('{')) {
      ondemand::object object;
      if (value.get_object().get(object) || object.raw_json().get(token)) return false;
    } else if (token.starts_with('[')) {
      ondemand::array array;
      if (value.get_array().get(array) || array.raw_json().get(token)) return false;
    } else if (const char next = token.data()[token.size()]; next != ',' && next != '}') {
      // A token reaches to the next one. Stepping over an unread scalar, On-Demand takes "a":"b":1
      // without complaint.
      return false;
    }
    out.raw = trim(token);
    fields.push_back(out);
    return !out.raw.empty();
  }

  // Cuts the object into fields. False when it is not an object, or not JSON as far as that can be
  // told from outside the values.
  bool split(std::string_view line) {
    fields.clear();
    keys.clear();
    const std::string_view text = pad(line);
    // Grown by ourselves: simdjson would grow to the exact size of every longer line.
    if (parser.capacity() < capacity && parser.allocate(capacity)) return false;
    ondemand::document document;
    ondemand::object object;
    if (parser.iterate(text.data(), text.size(), capacity + simdjson::SIMDJSON_PADDING)
            .get(document))
      return false;
    if (document.get_object().get(object)) return false;
    for (auto next : object) {
      ondemand::field field;
      if (std::move(next).get(field) || !add(field)) return false;
    }
    // The one sign that simdjson gives of having reached the end of the text.
    return document.current_location().error() == simdjson::OUT_OF_BOUNDS;
  }

  const Field* find(std::string_view key) const {
    const auto found = std::find_if(fields.rbegin(), fields.rend(),
                                    [&](const Field& field) { return field.key == key; });
    return found == fields.rend() ? nullptr : &*found;
  }

  // A row without a type. The names of a BEIR row are replaced by ours.
  Result<Record> read_untyped() {
    const bool beir = find("_id");
    const bool query = find("query") || (untyped == RowKind::kQuery && beir);
    const bool text = find("text");
    if (!query && !(text && (beir || find("document_id"))) && !(beir && find("title")))
      return fail(ErrorKind::kData,
                  "no 'type', and not a BEIR row either: give a record of ragline, "
                  "or a row with _id and text");
    if (!beir) return query ? read_as<Query>(fields) : read_as<Document>(fields);
    const bool rename_text = query && !find("query");
    for (Field& field : fields) {
      if (field.key == "_id") {
        field.key = query ? "query_id" : "document_id";
        RAGLINE_CHECK(quote_number(field));
      } else if (rename_text && field.key == "text") {
        field.key = "query";
      }
    }
    return query ? read_as<Query>(fields) : read_as<Document>(fields);
  }

  // BEIR sets number some of their rows: 17 is the id "17".
  Status quote_number(Field& field) {
    if (field.raw[0] != '-' && (field.raw[0] < '0' || field.raw[0] > '9')) return {};
    RAGLINE_CHECK(check_json_grammar(field.raw));
    field.raw = keys.emplace_back(cat('"', field.raw, '"'));
    return {};
  }

  Result<Record> read_typed(std::string_view line, const Field& type_field) {
    std::string type;
    RAGLINE_CHECK(read_text(type_field, type));
    if (type == "chunk") return read_as<Chunk>(fields);
    if (type == "hit") return read_as<Hit>(fields);
    if (type == "document") return read_as<Document>(fields);
    if (type == "query") return read_as<Query>(fields);
    if (type == "end") return read_as<End>(fields);
    RAGLINE_CHECK(check_kept(line));
    return OtherRecord{std::move(type), std::string(line)};
  }

  Result<Record> read(std::string_view line) {
    if (!split(line))
      return fail(ErrorKind::kData, "the line is JSON but no object: give {\"type\": ...}");
    const Field* const type = find("type");
    return type ? read_typed(line, *type) : read_untyped();
  }
};

RecordParser::RecordParser(RowKind untyped) : state_(std::make_unique<State>()) {
  state_->untyped = untyped;
}
RecordParser::RecordParser(RecordParser&&) noexcept = default;
RecordParser& RecordParser::operator=(RecordParser&&) noexcept = default;
RecordParser::~RecordParser() = default;

Result<Record> RecordParser::parse(std::string_view line) {
  auto record = state_->read(line);
  if (record) return record;
  // If the line is not JSON, saying so, and where, beats what followed from it.
  if (auto json = check_line(line); !json) record = std::unexpected(std::move(json).error());
  return record;
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text); }

Status check_json(std::string_view json) { return check_line(json); }

}  // namespace ragline
