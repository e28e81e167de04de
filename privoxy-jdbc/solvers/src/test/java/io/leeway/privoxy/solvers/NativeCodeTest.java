package io.leeway.privoxy.solvers;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.LogCapture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;

class NativeCodeTest {

    @Test
    void codeThatCannotBeLoadedIsReportedOnceAndNotTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        NativeCode code = new NativeCode("cvc5", () -> {
            attempts.incrementAndGet();
            throw new UnsatisfiedLinkError("noexec");
        });

        try (LogCapture log = LogCapture.of("io.leeway.privoxy.solvers")) {
            assertThat(code.isAvailable()).isFalse();
            assertThat(code.isAvailable()).isFalse();

            assertThat(attempts).hasValue(1);
            assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("cvc5", "noexec", "glibc");
        }
    }

    @Test
    void codeThatIsThereIsLoadedOnce() {
        AtomicInteger attempts = new AtomicInteger();
        NativeCode code = new NativeCode("z3", attempts::incrementAndGet);

        assertThat(code.isAvailable()).isTrue();
        assertThat(code.isAvailable()).isTrue();
        assertThat(attempts).hasValue(1);
    }
}
