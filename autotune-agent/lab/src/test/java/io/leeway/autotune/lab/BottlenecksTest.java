package io.leeway.autotune.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BottlenecksTest {

    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();

    /** A front that calls a shop, which calls a store and a cart; the store takes so many times longer. */
    private static String spans(int count, double storeFactor, long seed) {
        var random = new SplittableRandom(seed);
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            long store = (long) (8_000 * storeFactor * Math.exp(0.2 * random.nextGaussian()));
            long cart = (long) (3_000 * Math.exp(0.2 * random.nextGaussian()));
            long shop = store + cart + 2_000;
            text.append(line(i, "r", "", "front", 0, shop + 3_000))
                    .append(line(i, "s", "r", "shop", 1_000, 1_000 + shop))
                    .append(line(i, "d", "s", "store", 2_000, 2_000 + store))
                    .append(line(i, "c", "s", "cart", 2_000 + store, 2_000 + store + cart));
        }
        return text.toString();
    }

    private static String line(int trace, String id, String parent, String service, long start, long end) {
        return "{\"trace\":\"t" + trace + "\",\"id\":\"" + id + "\",\"parent\":\"" + parent + "\",\"service\":\""
                + service + "\",\"operation\":\"get\",\"start\":" + start + ",\"end\":" + end + "}\n";
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void namesTheInstanceWithAReasonAndDrawsIt() throws IOException {
        Path page = directory.resolve("page.html");

        List<Bottlenecks.Suspect> suspects = Bottlenecks.standard()
                .find(
                        List.of(file("usual.jsonl", spans(100, 1, 1))),
                        List.of(file("now.jsonl", spans(50, 5, 2))),
                        page,
                        told::add);

        assertThat(suspects.get(0).instance()).isEqualTo("store");
        assertThat(suspects.get(0).reason()).contains("its own time is", "is usual");
        assertThat(page).content().contains("Timeline of a request", "class=\"suspect\"", "store");
    }

    @Test
    void drawsARequestWhoseSpansAllCameIfThereIsOne() throws IOException {
        Path page = directory.resolve("page.html");
        // The worst of all, of which the front's and the shop's spans did not come yet.
        String part = line(7_000, "d", "s", "store", 2_000, 900_000) + line(7_000, "c", "s", "cart", 900_000, 990_000);

        Bottlenecks.standard()
                .find(
                        List.of(file("usual.jsonl", spans(100, 1, 1))),
                        List.of(file("now.jsonl", part + spans(50, 5, 2))),
                        page,
                        told::add);

        assertThat(page).content().contains("A request: front get").doesNotContain("Mended");
    }

    @Test
    void namesNobodyWhereNothingIsWrong() throws IOException {
        assertThat(Bottlenecks.standard()
                        .find(
                                List.of(file("usual.jsonl", spans(100, 1, 1))),
                                List.of(file("now.jsonl", spans(100, 1, 3))),
                                null,
                                told::add))
                .isEmpty();
    }

    @Test
    void namesItFromLiveSpansOnceItWasSaidWhatIsUsual() {
        Bottlenecks bottlenecks = Bottlenecks.standard();
        bottlenecks.take(spans(100, 1, 1).getBytes(StandardCharsets.UTF_8), false);
        assertThat(bottlenecks.learnUsual()).isEqualTo(100);
        assertThat(bottlenecks.live()).isEmpty();

        bottlenecks.take(spans(40, 5, 2).getBytes(StandardCharsets.UTF_8), false);

        assertThat(bottlenecks.live().get(0).instance()).isEqualTo("store");
    }

    @Test
    void goesOnWithTracesThatAreCutOrCyclicAndTellsIt() throws IOException {
        String good = spans(50, 5, 2);
        String cut = good.substring(0, good.length() - 40);
        String cycle = line(7_000, "x", "y", "store", 0, 9) + line(7_000, "y", "x", "cart", 1, 8);

        List<Bottlenecks.Suspect> suspects = Bottlenecks.standard()
                .find(
                        List.of(file("usual.jsonl", spans(100, 1, 1))),
                        List.of(file("now.jsonl", cycle + cut)),
                        null,
                        told::add);

        assertThat(suspects.get(0).instance()).isEqualTo("store");
        assertThat(told).anyMatch(line -> line.startsWith("left out: no JSON"));
    }

    @Test
    void refusesEmptyTracesAndModelsThatAreNone() throws IOException {
        Path empty = file("empty.json", "");
        Path model = file("model.json", "{}");
        Path otherFeatures = file("other.json", "{\"features\":[\"own time\"],\"weights\":[]}");

        assertThatThrownBy(() -> Bottlenecks.standard().find(List.of(), List.of(empty), null, told::add))
                .hasMessageContaining("AUTOTUNE-5003");
        assertThatThrownBy(() -> Bottlenecks.of(model)).hasMessageContaining("AUTOTUNE-5004");
        assertThatThrownBy(() -> Bottlenecks.of(otherFeatures))
                .hasMessageContaining("AUTOTUNE-5004")
                .hasMessageContaining("[own time]");
        for (String odd :
                List.of("{\"features\":[{}],\"weights\":[]}", "{\"features\":[null]}", "[]", "no model", "")) {
            Path file = file("odd.json", odd);
            assertThatThrownBy(() -> Bottlenecks.of(file)).as(odd).hasMessageContaining("AUTOTUNE-5004");
        }
        assertThatThrownBy(() -> Bottlenecks.standard().learnUsual()).hasMessageContaining("AUTOTUNE-5003");
    }

    @Test
    void refusesAPlaceForAModelThatIsNoneBeforeItLearns() {
        Path nowhere = directory.resolve("away/model.json.gz");

        assertThatThrownBy(() ->
                        Bottlenecks.train(nowhere, new Bottlenecks.Simulated(1, 20, 0.5), List.of(), 1, 1, told::add))
                .hasMessageContaining("AUTOTUNE-1004")
                .hasMessageContaining("cannot be written");
        assertThat(told).isEmpty();
    }

    /** Minutes a look, before callers were looked for of some spans only; here it is a moment. */
    @Test
    void looksAtARequestOfVeryManySpansWithoutCallersAndAtOneThatIsAChain() throws IOException {
        var orphans = new StringBuilder();
        var chain = new StringBuilder();
        for (int i = 0; i < 19_000; i++) {
            orphans.append(line(7_001, "o" + i, "lost" + i, "s" + i % 7, i, 40_000 - i));
            chain.append(line(7_002, "c" + i, i == 0 ? "" : "c" + (i - 1), "s" + i % 7, 3L * i, 3L * i + 40_000));
        }
        Path page = directory.resolve("page.html");

        Bottlenecks.standard()
                .find(
                        List.of(file("usual.jsonl", spans(100, 1, 1))),
                        List.of(file("now.jsonl", orphans + spans(50, 5, 2) + chain)),
                        page,
                        told::add);

        assertThat(told).anyMatch(line -> line.endsWith("of 52 requests are anomalous"));
        assertThat(page).exists();
        assertThat(Files.size(page)).isLessThan(1_000_000);
    }
}
