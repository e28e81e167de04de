package io.leeway.autotune.internal.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TraceHeaderTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";

    @Test
    void readsBothHeadersAndRefusesWhatIsNone() {
        assertThat(TraceHeader.parse("00-" + TRACE + "-" + SPAN + "-01")).contains(new TraceHeader(TRACE, SPAN));
        assertThat(TraceHeader.parse(TRACE + "-" + SPAN + "-1-05e3ac9a4f6e3b90"))
                .contains(new TraceHeader(TRACE, SPAN));
        assertThat(TraceHeader.parse(SPAN + "-" + SPAN)).contains(new TraceHeader("0".repeat(16) + SPAN, SPAN));
        assertThat(TraceHeader.parse(TRACE + "-null")).contains(new TraceHeader(TRACE, ""));
        for (String wrong : List.of("", "0", "00-" + "0".repeat(32) + "-" + SPAN + "-01", "x".repeat(10_000))) {
            assertThat(TraceHeader.parse(wrong)).as(wrong).isEmpty();
        }
    }
}
