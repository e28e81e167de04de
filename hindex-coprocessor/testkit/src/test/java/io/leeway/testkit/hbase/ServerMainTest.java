package io.leeway.testkit.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServerMainTest {

    /** A server that never ends by itself. */
    static final class Endless {

        private Endless() {}

        /** Says that it runs. */
        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(String.join(" ", arguments));
            new CountDownLatch(1).await();
        }
    }

    @Test
    void endsWithTheParent() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName(),
                        Endless.class.getName(),
                        "it",
                        "runs")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(firstLine(process.getInputStream())).isEqualTo("it runs");
            assertThat(process.isAlive()).isTrue();

            // What happens to the pipe when the parent ends, in whatever way.
            process.getOutputStream().close();

            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String firstLine(InputStream output) throws IOException {
        var line = new StringBuilder();
        for (int read = output.read(); read >= 0 && read != '\n'; read = output.read()) {
            line.append((char) read);
        }
        return line.toString().strip();
    }
}
