#include "corpus/decode.h"

#include <random>

#include "catch.h"
#include "core/utf8.h"

using ragline::decode_text;
using namespace std::string_literals;

namespace {

std::string utf16(std::string_view text, bool little) {
  std::string out;
  auto put = [&](char32_t unit) {
    const char low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8 & 0xFF);
    out += little ? low : high;
    out += little ? high : low;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = ragline::next_code_point(text, at);
    if (code < 0x10000) {
      put(code);
    } else {
      put(0xD800 + ((code - 0x10000) >> 10));
      put(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return out;
}

std::string utf32(std::string_view text, bool little) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t code = ragline::next_code_point(text, at);
    for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(code >> 8 * (little ? i : 3 - i) & 0xFF);
  }
  return out;
}

const std::string kTexts[] = {
    "An order that has not shipped can be cancelled.\nThe refund takes 5 days.\n",
    "Größe, Übermut und Straße: das Ärgernis.\r\nZweite Zeile – mit Strich.\r\n",
    "Zażółć gęślą jaźń.\nPchnąć w tę łódź jeża lub ośm skrzyń fig.\n",
    "Заказ ещё не отправлен.\nВозврат занимает пять дней.\n",
    "Η παραγγελία δεν έχει αποσταλεί.\nΗ επιστροφή διαρκεί πέντε ημέρες.\n",
    "订单尚未发货，可以取消。\n退款需要五天时间。一、二、三。\n",
    "注文はまだ発送されていません。\n払い戻しには五日かかります。\n",
    "주문이 아직 발송되지 않았습니다.\n환불에는 5일이 걸립니다.\n",
    "الطلب لم يشحن بعد.\nيستغرق رد المبلغ خمسة أيام.\n",
};

}  // namespace

TEST_CASE("UTF-8 stays as it is") {
  for (const auto& text : kTexts) {
    const auto decoded = decode_text(text);
    CHECK_FALSE(decoded.binary);
    CHECK_FALSE(decoded.changed);
    CHECK(decoded.encoding == "utf-8"s);
    CHECK(decoded.converted.empty());
  }
  CHECK_FALSE(decode_text("").binary);
  CHECK_FALSE(decode_text("").changed);
}

TEST_CASE("a byte-order mark names the encoding and goes") {
  for (const auto& text : kTexts) {
    const struct {
      std::string bytes;
      std::string encoding;
    } cases[] = {{"\xEF\xBB\xBF" + text, "utf-8-bom"},
                 {"\xFF\xFE"s + utf16(text, true), "utf-16le"},
                 {"\xFE\xFF"s + utf16(text, false), "utf-16be"},
                 {"\xFF\xFE\0\0"s + utf32(text, true), "utf-32le"},
                 {"\0\0\xFE\xFF"s + utf32(text, false), "utf-32be"}};
    for (const auto& one : cases) {
      INFO(one.encoding << " of " << text);
      const auto decoded = decode_text(one.bytes);
      CHECK_FALSE(decoded.binary);
      CHECK(decoded.changed);
      CHECK(decoded.encoding == one.encoding);
      CHECK(decoded.converted == text);
    }
  }
  CHECK(decode_text("\xEF\xBB\xBF").converted.empty());
  CHECK(decode_text("\xFF\xFE").encoding == "utf-16le"s);
}

TEST_CASE("ripgrep_1_utf16_without_a_mark_is_text") {
  for (const auto& text : kTexts) {
    for (const bool little : {true, false}) {
      INFO((little ? "little: " : "big: ") << text);
      const auto decoded = decode_text(utf16(text, little));
      CHECK_FALSE(decoded.binary);
      CHECK(decoded.encoding == (little ? "utf-16le"s : "utf-16be"s));
      CHECK(decoded.converted == text);
    }
  }
}

TEST_CASE("UTF-16 that is cut or has lone surrogates is repaired") {
  const std::string bytes = "\xFF\xFE"s + utf16("order 😀", true);
  CHECK(decode_text(bytes.substr(0, bytes.size() - 1)).converted == "order \uFFFD\uFFFD");
  CHECK(decode_text(bytes.substr(0, bytes.size() - 2)).converted == "order \uFFFD");
  CHECK(decode_text("\xFF\xFE" "a\0\x00\xDC" "b\0"s).converted == "a\uFFFDb");
  CHECK(decode_text(utf16("order shipped", true) + "x").converted == "order shipped\uFFFD");
}

TEST_CASE("NUL bytes and control bytes make a file binary") {
  for (const auto& bytes : {"hello\0world"s, "\0"s, "a\0"s, "abc\0def\0"s, "a,b\0c,d\0e,f"s, "\0\0\0\0\0\0\0\0"s,
                            "\x7F" "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0"s, "Grüße\0Straße\0"s,
                            "\xEF\xBB\xBF" "a\0b"s, "\xFF\xFE" "a\0\0\0b\0"s, "\x01\x02\x03\x04 mostly control"s}) {
    INFO("bytes: " << bytes);
    const auto decoded = decode_text(bytes);
    CHECK(decoded.binary);
    CHECK(decoded.encoding == ""s);
    CHECK(decoded.converted.empty());
  }
  CHECK_FALSE(decode_text("\x1B[31mred\x1B[0m\n\x1B[1mbold\x1B[0m\x07\n").binary);
}

TEST_CASE("random bytes are binary") {
  const unsigned seed = 20261130u;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(2000, '\0');
    const bool zeros = round % 2 == 0;
    for (char& c : bytes) c = static_cast<char>(zeros ? random() % 256 : 1 + random() % 255);
    CHECK(decode_text(bytes).binary);
    // Little arrays of small numbers look like UTF-16 at first.
    for (std::size_t i = 1; i < bytes.size(); i += 2) bytes[i] = 0;
    CHECK(decode_text(bytes).binary);
  }
}

TEST_CASE("ugrep_181_one_latin1_byte_does_not_make_a_file_binary") {
  const auto decoded = decode_text("un caf\xE9 \x97 5 \x80\r\n");
  CHECK_FALSE(decoded.binary);
  CHECK(decoded.changed);
  CHECK(decoded.encoding == "windows-1252"s);
  CHECK(decoded.converted == "un café — 5 €\r\n");
}

TEST_CASE("mostly UTF-8 is repaired, not read as Windows-1252") {
  const auto decoded = decode_text("Größe und Straße \xFF Übermut");
  CHECK(decoded.encoding == "utf-8"s);
  CHECK(decoded.changed);
  CHECK(decoded.converted == "Größe und Straße \uFFFD Übermut");
  CHECK(decode_text("na\xEFve caf\xE9, d\xE9j\xE0 vu, one \u20AC").encoding == "windows-1252"s);
}
