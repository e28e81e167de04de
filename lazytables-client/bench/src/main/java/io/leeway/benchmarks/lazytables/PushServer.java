package io.leeway.benchmarks.lazytables;

import io.leeway.lazytables.LazyTablesServer;
import java.io.IOException;
import java.util.Map;

/** A server of tables as a process: prints its port and ends with its input. */
final class PushServer {

    private PushServer() {}

    public static void main(String[] args) throws IOException {
        try (LazyTablesServer server = start()) {
            System.out.println(server.address().port());
            while (System.in.read() >= 0) {
                // Until whoever started this closes the other end.
            }
        }
    }

    /** One on this machine, at a port that is free. */
    static LazyTablesServer start() {
        return LazyTablesServer.start(Map.of("lazytables.server.listen", "127.0.0.1:0"));
    }
}
