package io.leeway.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogCaptureTest {

    @Test
    void seesSystemLoggerAndSlf4jBelowTheNameAtEveryLevel() {
        try (var log = LogCapture.of("capture.test")) {
            System.getLogger("capture.test.deep").log(System.Logger.Level.TRACE, "by {0}", "system");
            LoggerFactory.getLogger("capture.test").warn("by {}", "slf4j");
            System.getLogger("other").log(System.Logger.Level.DEBUG, "not mine");

            assertThat(log.lines()).extracting(LogCapture.Line::message).containsExactly("by system", "by slf4j");
            assertThat(log.messages(Level.WARNING)).containsExactly("by slf4j");
        }
    }

    @Test
    void theTextHoldsExceptionsToo() {
        try (var log = LogCapture.of("capture.thrown")) {
            System.getLogger("capture.thrown")
                    .log(System.Logger.Level.ERROR, "broken", new IllegalStateException("because"));

            assertThat(log.text()).contains("SEVERE broken", "because");
        }
    }

    @Test
    void closingPutsTheLoggerBack() {
        Logger logger = Logger.getLogger("capture.back");
        logger.setLevel(Level.SEVERE);

        LogCapture.of("capture.back").close();

        assertThat(logger.getLevel()).isEqualTo(Level.SEVERE);
        assertThat(logger.getUseParentHandlers()).isTrue();
        assertThat(logger.getHandlers()).isEmpty();
    }
}
