package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A setting of Redis that CONFIG SET changes while it runs: {@code redis://:password@host:6379}. */
record RedisKnob(KnobSpec spec, URI server, String key) implements OutsideKnob {

    private static final int PORT = 6379;

    @Override
    public KnobValue read() throws IOException {
        List<String> answer = ask("CONFIG", "GET", key);
        if (answer.size() != 2) {
            throw new IOException("Redis knows no setting " + key);
        }
        return Values.parse(spec, answer.get(1));
    }

    @Override
    public void write(KnobValue value) throws IOException {
        ask("CONFIG", "SET", key, value.toString());
    }

    private List<String> ask(String... words) throws IOException {
        try (var lines = new Lines(server, PORT)) {
            String user = server.getUserInfo();
            if (user != null) {
                lines.send(command("AUTH", user.substring(user.indexOf(':') + 1)));
                answer(lines);
            }
            lines.send(command(words));
            return answer(lines);
        }
    }

    private static String command(String... words) {
        var text = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            text.append('$')
                    .append(word.getBytes(StandardCharsets.UTF_8).length)
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        return text.toString();
    }

    /** A simple text, or a list of texts. */
    private static List<String> answer(Lines lines) throws IOException {
        String first = lines.line();
        if (first.startsWith("-")) {
            throw new IOException("Redis says: " + first.substring(1));
        }
        var texts = new ArrayList<String>();
        if (first.startsWith("*")) {
            for (int i = count(first); i > 0; i--) {
                lines.line();
                texts.add(lines.line());
            }
        } else {
            texts.add(first);
        }
        return texts;
    }

    private static int count(String header) throws IOException {
        try {
            return Integer.parseInt(header.substring(1));
        } catch (NumberFormatException e) {
            throw new IOException("not an answer of Redis: " + header, e);
        }
    }
}
