package io.leeway.autotune.internal.agent;

import com.google.gson.JsonObject;
import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The agent's control channel: a line of JSON in, a line out, one request a connection, on loopback with a token. Not
 * HTTP, and with threads of its own, so that neither this agent nor others measure it as if it were the host's work.
 */
final class ControlChannel implements AutoCloseable {

    private static final int MOST_AT_ONCE = 16;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final int MOST_CHARACTERS = 1_000_000;

    private final ServerSocket socket;
    private final String token;
    private final Function<JsonObject, JsonObject> requests;
    private final Consumer<String> log;
    private final Semaphore slots = new Semaphore(MOST_AT_ONCE);

    ControlChannel(int port, String token, Function<JsonObject, JsonObject> requests, Consumer<String> log)
            throws IOException {
        this.socket = new ServerSocket(port, MOST_AT_ONCE, InetAddress.getLoopbackAddress());
        this.token = token;
        this.requests = requests;
        this.log = log;
    }

    int port() {
        return socket.getLocalPort();
    }

    void start() {
        var thread = new Thread(this::accept, "autotune-control");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                if (!slots.tryAcquire()) {
                    client.close();
                    continue;
                }
                var thread = new Thread(() -> serve(client), "autotune-request");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                if (!socket.isClosed()) {
                    log.accept("control channel: " + e);
                }
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setSoTimeout(PATIENCE_MILLIS);
            var reader = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
            String answer = answer(line(reader)) + "\n";
            client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
            client.getOutputStream().flush();
        } catch (IOException e) {
            // Who asked is gone.
        } finally {
            slots.release();
        }
    }

    private static String line(BufferedReader reader) throws IOException {
        var line = new StringBuilder();
        for (int c = reader.read(); c >= 0 && c != '\n'; c = reader.read()) {
            if (line.length() >= MOST_CHARACTERS) {
                throw new IOException("a line without an end");
            }
            line.append((char) c);
        }
        return line.toString();
    }

    private JsonObject answer(String line) {
        try {
            JsonObject request = Json.object(line);
            if (!isRight(Json.text(request, "token", ""))) {
                throw AutoTuneError.WRONG_TOKEN.because("refused");
            }
            return requests.apply(request);
        } catch (AutoTuneException e) {
            return failed(e.error().code(), String.valueOf(e.getMessage()));
        } catch (RuntimeException | LinkageError e) {
            log.accept("a request failed: " + e);
            return failed(AutoTuneError.BAD_REQUEST.code(), e.toString());
        }
    }

    private static JsonObject failed(String code, String message) {
        var answer = new JsonObject();
        answer.addProperty("error", code);
        answer.addProperty("message", message);
        return answer;
    }

    private boolean isRight(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
