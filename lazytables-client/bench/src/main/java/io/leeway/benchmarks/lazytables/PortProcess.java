package io.leeway.benchmarks.lazytables;

import io.leeway.testkit.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, whose program prints its port and ends with its input. */
final class PortProcess implements AutoCloseable {

    private static final long CLOSE_SECONDS = 20;

    private final Process process;
    private final BufferedReader output;
    private final int port;

    private PortProcess(Process process) throws IOException {
        this.process = process;
        output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            process.destroyForcibly();
            throw new IOException("the server ended before it said its port");
        }
        port = Integer.parseInt(line);
    }

    static PortProcess start(Class<?> main) throws IOException {
        List<String> command = JavaProcess.command(System.getProperty("java.class.path"), main.getName(), List.of());
        return new PortProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    int port() {
        return port;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() throws IOException {
        process.outputWriter().close();
        try {
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        output.close();
    }
}
