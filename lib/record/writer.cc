#include "record/writer.h"

#include "core/text.h"
#include "core/utf8.h"
#include "record/base64.h"
#include "record/members.h"

namespace ragline {

namespace {

// Writes what is there; absent members (record.h says which those are) leave no trace.
class MemberWriter {
 public:
  MemberWriter(std::string& out, std::string_view type) : out_(out), object_(out) {
    object_.add("type", type);
  }
  void close() {
    object_.close();
    out_ += '\n';
  }

  void text(std::string_view name, const std::string& value) {
    if (!value.empty()) object_.add(name, std::string_view(value));
  }
  void path(std::string_view name, const std::string& value) {
    text(name, value);
    if (!is_valid_utf8(value)) object_.add("path_b64", std::string_view(base64_encode(value)));
  }
  void count(std::string_view name, std::uint64_t value) { object_.add(name, value); }
  void optional_count(std::string_view name, const std::optional<std::uint64_t>& value) {
    if (value) object_.add(name, *value);
  }
  void number(std::string_view name, double value) { object_.add(name, value); }
  void flag(std::string_view name, bool value) { object_.add(name, value); }
  void list(std::string_view name, const std::vector<std::string>& values) {
    if (values.empty()) return;
    object_.raw(name, "[");
    const char* separator = "";
    for (const std::string& value : values) {
      out_ += separator;
      append_json_string(out_, value);
      separator = ",";
    }
    out_ += ']';
  }
  void optional_list(std::string_view name, const std::optional<std::vector<std::string>>& values) {
    if (!values) return;
    if (values->empty()) {
      object_.raw(name, "[]");
    } else {
      list(name, *values);
    }
  }
  void lines(std::string_view name, const std::optional<LineSpan>& span) {
    if (span) pair(name, span->first, span->last);
  }
  void bytes(std::string_view name, const std::optional<ByteSpan>& span) {
    if (span) pair(name, span->begin, span->end);
  }
  void raw(std::string_view name, const RawJson& json) {
    if (!json.empty()) object_.raw(name, json);
  }
  void object(std::string_view name, const RawJson& json) { raw(name, json); }
  void array(std::string_view name, const RawJson& json) { raw(name, json); }

  void scores(std::string_view name, const std::vector<ArmScore>& scores) {
    if (scores.empty()) return;
    object_.raw(name, "");
    JsonObject arms(out_);
    for (const ArmScore& score : scores) {
      arms.raw(score.arm, "");
      JsonObject arm(out_);
      arm.add("score", score.score);
      if (score.rank > 0) arm.add("rank", score.rank);
      arm.members(score.extra).close();
    }
    arms.close();
  }
  template <class Number>
  void pairs(std::string_view name, const std::vector<std::pair<std::string, Number>>& values) {
    if (values.empty()) return;
    object_.raw(name, "");
    JsonObject inner(out_);
    for (const auto& [key, value] : values) inner.add(key, value);
    inner.close();
  }
  void counts(std::string_view name,
              const std::vector<std::pair<std::string, std::uint64_t>>& values) {
    pairs(name, values);
  }
  void numbers(std::string_view name, const std::vector<std::pair<std::string, double>>& values) {
    pairs(name, values);
  }
  void open_counts(const std::vector<std::pair<std::string, std::uint64_t>>& values) {
    for (const auto& [key, value] : values) object_.add(key, value);
  }
  void rest(const std::string& extra) { object_.members(extra); }

 private:
  void pair(std::string_view name, std::uint64_t first, std::uint64_t second) {
    object_.raw(name, "[");
    append(out_, first, ',', second, ']');
  }

  std::string& out_;
  JsonObject object_;
};

template <class T>
void write_members(std::string& out, std::string_view type, const T& record) {
  MemberWriter writer(out, type);
  each_member(writer, record);
  writer.close();
}

}  // namespace

void write_record(std::string& out, const Document& document) {
  write_members(out, "document", document);
}
void write_record(std::string& out, const Chunk& chunk) { write_members(out, "chunk", chunk); }
void write_record(std::string& out, const Query& query) { write_members(out, "query", query); }
void write_record(std::string& out, const Hit& hit) { write_members(out, "hit", hit); }
void write_record(std::string& out, const End& end) { write_members(out, "end", end); }
void write_record(std::string& out, const OtherRecord& other) {
  out += other.line;
  out += '\n';
}
void write_record(std::string& out, const Record& record) {
  std::visit([&](const auto& value) { write_record(out, value); }, record);
}

}  // namespace ragline
