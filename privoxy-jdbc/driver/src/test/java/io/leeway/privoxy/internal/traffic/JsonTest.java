package io.leeway.privoxy.internal.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {

    @Test
    void readsWhatTheWriterWrites() {
        String text = new JsonWriter()
                .object()
                .member("text", "a \"b\" \\ \n \t \u0001 \u2028 ä 😀")
                .member("none", (String) null)
                .member("number", -5)
                .member("truth", true)
                .member("list", List.of("x", ""))
                .name("empty")
                .object()
                .endObject()
                .endObject()
                .toString();

        Json.Members json = JsonReader.read(text).object();

        assertThat(text).doesNotContain("\n");
        assertThat(json.need("text").text()).isEqualTo("a \"b\" \\ \n \t \u0001 \u2028 ä 😀");
        assertThat(json.get("none")).isNull();
        assertThat(json.need("number").whole()).isEqualTo(-5);
        assertThat(json.need("truth").truth()).isTrue();
        assertThat(json.need("list").texts()).containsExactly("x", "");
        assertThat(json.need("empty").object().members()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "{a:1}",
                "01",
                "1.",
                ".5",
                "+1",
                "1e",
                "NaN",
                "tru",
                "nullx",
                "\"a",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\ud800\"",
                "\"\t\"",
                "// comment\n1",
                "1 2",
                "[1 2]",
                "'a'"
            })
    void refusesWhatIsNoJson(String text) {
        assertThatExceptionOfType(JsonException.class).isThrownBy(() -> JsonReader.read(text));
    }

    @Test
    void refusesNestingWithoutEnd() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);

        assertThatExceptionOfType(JsonException.class)
                .isThrownBy(() -> JsonReader.read(deep))
                .withMessageContaining("too deep");
    }

    @Test
    void halfACharacterIsReplaced() {
        assertThat(JsonReader.read(new JsonWriter().text("a\ud800b").toString()).text())
                .isEqualTo("a\uFFFDb");
    }

    @Test
    void everyRandomValueIsReadBack() {
        RandomGenerator random = Seeds.random("json");
        for (int i = 0; i < 2_000; i++) {
            Json json = random(random, 4);
            var writer = new JsonWriter();
            write(json, writer);

            assertThat(JsonReader.read(writer.toString())).isEqualTo(json);
        }
    }

    /** Whatever stands there, the reader says so, or reads it; it never fails in another way. */
    @Test
    void everyDamagedTextIsReadOrRefused() {
        RandomGenerator random = Seeds.random("damaged json");
        for (int i = 0; i < 5_000; i++) {
            var writer = new JsonWriter();
            write(random(random, 3), writer);
            var text = new StringBuilder(writer.toString());
            for (int damage = random.nextInt(1, 4); damage > 0 && !text.isEmpty(); damage--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, character(random));
                    default -> text.setCharAt(at, character(random));
                }
            }
            try {
                JsonReader.read(text.toString());
            } catch (JsonException refused) {
                assertThat(refused).hasMessageStartingWith("column ");
            }
        }
    }

    private static void write(Json json, JsonWriter writer) {
        if (json instanceof Json.Members object) {
            writer.object();
            object.members().forEach((name, member) -> {
                writer.name(name);
                write(member, writer);
            });
            writer.endObject();
        } else if (json instanceof Json.Array array) {
            writer.array();
            array.items().forEach(item -> write(item, writer));
            writer.endArray();
        } else if (json instanceof Json.Numeral) {
            writer.number(json.whole());
        } else if (json instanceof Json.Truth) {
            writer.truth(json.truth());
        } else {
            writer.text(json instanceof Json.Text ? json.text() : null);
        }
    }

    private static Json random(RandomGenerator random, int depth) {
        int kind = random.nextInt(depth == 0 ? 4 : 6);
        return switch (kind) {
            case 0 -> new Json.Null();
            case 1 -> new Json.Truth(random.nextBoolean());
            case 2 -> new Json.Numeral(Long.toString(random.nextLong() >> random.nextInt(64)));
            case 3 -> new Json.Text(text(random));
            case 4 -> {
                List<Json> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(random(random, depth - 1));
                }
                yield new Json.Array(items);
            }
            default -> {
                Map<String, Json> members = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    members.put(text(random), random(random, depth - 1));
                }
                yield new Json.Members(members);
            }
        };
    }

    private static String text(RandomGenerator random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(character(random));
        }
        return text.toString();
    }

    private static char character(RandomGenerator random) {
        String special = "\"\\/{}[],:\b\f\n\r\t\0\u001f\u007f\u2028\u2029\uFFFFäé0-eE.";
        return random.nextInt(3) == 0
                ? special.charAt(random.nextInt(special.length()))
                : (char) random.nextInt(' ', '~');
    }
}
