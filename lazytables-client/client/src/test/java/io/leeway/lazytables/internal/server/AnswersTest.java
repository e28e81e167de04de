package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What is kept of answers, against all that was ever written. */
class AnswersTest {

    private static final int ROWS = 3_000;

    private record Asked(int row, long version, long has) {}

    @Test
    void whatIsCopiedIsWhatWasWritten() {
        RandomGenerator random = Seeds.random("answers");
        var answers = new Answers();
        var places = new Answers.Place[ROWS];
        Arrays.setAll(places, row -> new Answers.Place());
        Map<Asked, byte[]> model = new HashMap<>();
        int copied = 0;
        for (int step = 0; step < 20_000; step++) {
            var asked = new Asked(random.nextInt(ROWS), random.nextInt(2), random.nextInt(2));
            var out = new WireBuffer(16);
            out.putInt(step);
            if (answers.copy(places[asked.row], asked.version, asked.has, out)) {
                copied++;
                assertThat(Arrays.copyOfRange(out.array(), Integer.BYTES, out.size()))
                        .isEqualTo(model.get(asked));
                continue;
            }
            assertThat(out.size()).isEqualTo(Integer.BYTES);
            byte[] written = new byte[random.nextInt(20) == 0 ? 2_000 : random.nextInt(1_000)];
            random.nextBytes(written);
            out.putBytes(written, 0, written.length);
            answers.keep(places[asked.row], asked.version, asked.has, out, Integer.BYTES);
            if (written.length <= 1_024) {
                model.put(asked, written);
            }
        }
        assertThat(copied).isGreaterThan(1_000);
    }
}
