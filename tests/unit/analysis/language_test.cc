#include <string>

#include "analysis/language.h"
#include "catch.h"

using namespace ragline;

TEST_CASE("language codes read back") {
  for (int number = 0; number < static_cast<int>(Language::kCount); ++number) {
    const auto language = static_cast<Language>(number);
    CHECK(language_from_code(language_code(language)) == language);
  }
  CHECK(language_from_code("de-AT") == Language::kGerman);
  CHECK(language_from_code("zh_Hant") == Language::kChinese);
  CHECK(language_from_code("EN") == Language::kEnglish);
  CHECK(language_from_code("nb") == Language::kNorwegian);
  CHECK_FALSE(language_from_code("tlh"));
  CHECK_FALSE(language_from_code(""));
}

TEST_CASE("sentences in many languages are told apart") {
  const auto detect = [](const char* text) { return language_code(detect_language(text, Language::kNone)); };
  CHECK(detect("The government has passed a new law that protects the rights of workers and their families.") ==
        std::string("en"));
  CHECK(detect("Die Regierung hat ein neues Gesetz verabschiedet, das die Rechte der Arbeiter und ihrer Familien im "
               "ganzen Land schützt.") == std::string("de"));
  CHECK(detect("Les enfants jouent dans le jardin pendant que leurs parents préparent le dîner et discutent de la "
               "journée écoulée.") == std::string("fr"));
  CHECK(detect("La Constitución garantiza los derechos fundamentales de todos los ciudadanos y establece la separación "
               "de poderes en el Estado.") == std::string("es"));
  CHECK(detect("Правительство приняло новый закон о защите прав работников и их семей на всей территории страны.") ==
        std::string("ru"));
  CHECK(detect("Hükümet, ülke genelinde çalışanların ve ailelerinin haklarını koruyan yeni bir yasayı kabul etti.") ==
        std::string("tr"));
  CHECK(detect("اعتمدت الحكومة قانونا جديدا يحمي حقوق العمال وعائلاتهم في جميع أنحاء البلاد خلال السنة الماضية.") ==
        std::string("ar"));
  CHECK(detect("सरकार ने पूरे देश में श्रमिकों और उनके परिवारों के अधिकारों की रक्षा करने वाला एक नया कानून पारित किया है।") ==
        std::string("hi"));
}

TEST_CASE("some scripts need no sentence") {
  CHECK(detect_language("北京大学") == Language::kChinese);
  CHECK(detect_language("東京タワーの高さ") == Language::kJapanese);
  CHECK(detect_language("한국어 처리") == Language::kKorean);
  CHECK(detect_language("ภาษาไทย") == Language::kThai);
  CHECK(detect_language("Ελλάδα") == Language::kGreek);
  CHECK(detect_language("iPhone 15 ケース") == Language::kJapanese);
}

TEST_CASE("short, mixed and odd text gets the fallback") {
  CHECK(detect_language("") == Language::kEnglish);
  CHECK(detect_language("Die Regierung", Language::kFrench) == Language::kFrench);
  CHECK(detect_language("x = f(y)[0]; while (i < n) { a[i++] = b; } // lorem qx zz tt vv ww pp", Language::kEnglish) ==
        Language::kEnglish);
  CHECK(detect_language("def _cosine(a, b):\n  \"\"\" Return the len(a & b) / len(a) \"\"\"\n  return 1. * len(a & b) / "
                        "(math.sqrt(len(a)) * math.sqrt(len(b)))") == Language::kEnglish);
  CHECK(detect_language(std::string(5000, '\xff')) == Language::kEnglish);
  CHECK(detect_language(std::string(5000, '\0')) == Language::kEnglish);
}

TEST_CASE("a language that is not ours is none, not English") {
  CHECK(detect_language("Rząd przyjął nową ustawę, która chroni prawa pracowników i ich rodzin w całym kraju od początku "
                        "roku.") == Language::kNone);
}
