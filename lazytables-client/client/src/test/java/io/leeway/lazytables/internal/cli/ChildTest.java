package io.leeway.lazytables.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChildTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Test
    void whoReadsItsInputFindsItsEnd() throws Exception {
        var ended = new CompletableFuture<Integer>();
        Child child = Child.start("reader", List.of("sh", "-c", "cat; echo read"), Map.of(), lines::add, "ready");
        child.onEnd(ended::complete);
        try {
            assertThat(ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isZero();
            assertThat(lines).containsExactly("reader: read");
        } finally {
            child.tellToEnd();
        }
    }

    @Test
    void aProcessWhoseInputCannotBeClosedIsAChildAllTheSame() throws Exception {
        var process = new WithoutInput("ready now\n");

        Child child = Child.of("deaf", process, lines::add, "ready ");

        assertThat(child.awaitReady(PATIENCE)).isEqualTo("now");
        assertThat(lines.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo("deaf: ready now");
        child.tellToEnd();
        child.awaitEnd();
        assertThat(process.ended).isDone();
    }

    /** A process that has closed its end of the pipe before this one does. */
    private static final class WithoutInput extends Process {

        final CompletableFuture<Integer> ended = new CompletableFuture<>();
        private final InputStream output;

        WithoutInput(String output) {
            this.output = new ByteArrayInputStream(output.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public OutputStream getOutputStream() {
            return new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    throw new IOException("Broken pipe");
                }

                @Override
                public void close() throws IOException {
                    throw new IOException("Broken pipe");
                }
            };
        }

        @Override
        public InputStream getInputStream() {
            return output;
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return ended.join();
        }

        @Override
        public boolean waitFor(long timeout, TimeUnit unit) {
            return ended.isDone();
        }

        @Override
        public int exitValue() {
            return ended.join();
        }

        @Override
        public void destroy() {
            ended.complete(143);
        }
    }
}
