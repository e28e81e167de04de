package io.leeway.autotune.internal.outside;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A connection of lines to a server, for one exchange, with time limits. */
final class Lines implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int LONGEST = 100_000;

    private final Socket socket = new Socket();
    private final BufferedReader in;

    Lines(URI server, int port) throws IOException {
        try {
            socket.connect(
                    new InetSocketAddress(server.getHost(), server.getPort() < 0 ? port : server.getPort()),
                    PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    String line() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > LONGEST) {
                throw new IOException("the server's answer ends in the middle");
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
