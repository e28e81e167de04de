package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.net.URI;

/** How many megabytes memcached keeps, the one setting that it changes while it runs: {@code memcached://host:11211}. */
record MemcachedKnob(KnobSpec spec, URI server) implements OutsideKnob {

    private static final int PORT = 11_211;
    private static final String LIMIT = "STAT maxbytes ";

    @Override
    public KnobValue read() throws IOException {
        try (var lines = new Lines(server, PORT)) {
            lines.send("stats settings\r\n");
            for (String line = lines.line(); !"END".equals(line); line = lines.line()) {
                if (line.startsWith(LIMIT)) {
                    return KnobValue.of(Double.parseDouble(line.substring(LIMIT.length())) / (1 << 20));
                }
            }
        } catch (NumberFormatException e) {
            throw new IOException("not an answer of memcached", e);
        }
        throw new IOException("memcached tells no limit");
    }

    @Override
    public void write(KnobValue value) throws IOException {
        try (var lines = new Lines(server, PORT)) {
            lines.send("cache_memlimit " + value + "\r\n");
            String answer = lines.line();
            if (!"OK".equals(answer)) {
                throw new IOException("memcached says: " + answer);
            }
        }
    }
}
