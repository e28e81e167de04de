package io.leeway.hindex.internal.read;

import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ReadThreadsTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    @Test
    void aServerThatDoesNotAnswerAnIteratorIsNoFaultOfTheIndex() {
        Future<String> read = ReadThreads.submit(() -> {
            throw new UncheckedIOException(new ConnectException("refused"));
        });

        assertThatIOException()
                .isThrownBy(() -> ReadThreads.get(read, LIMIT))
                .withMessage("refused")
                .withCauseInstanceOf(ConnectException.class);
    }

    @Test
    void aReadThatIsGivenUpWithItsRegionSaysSo() {
        var read = new CompletableFuture<String>();
        read.cancel(false);

        assertThatThrownBy(() -> ReadThreads.get(read, LIMIT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the region that asked is closed");
    }
}
