package io.leeway.approx;

import io.leeway.approx.internal.gateway.GatewayServer;
import io.leeway.approx.internal.gateway.GatewayState;
import io.leeway.approx.internal.gateway.Sink;
import io.leeway.approx.internal.wire.RecordData;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/** A gateway that writes nowhere, in a process of its own. Commands are the lines of its input. */
public final class FarEnd {

    static final int PORT = 9_096;

    private FarEnd() {}

    /** Arguments: where the keys are, the bytes that it may hold for a sender, after how many seconds one that is away does not come back. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>(KeyStores.gateway(Path.of(arguments[0])));
        options.put("approx.gateway.listen", "0.0.0.0:" + PORT);
        options.put("approx.receive.bytes", arguments[1]);
        Writer writer = new Writer();
        try (GatewayServer gateway = new GatewayServer(
                        ApproxOptions.of(options), writer, Long.parseLong(arguments[2]) * 1_000_000_000);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                switch (line) {
                    case "hold" -> writer.hold(true);
                    case "go on" -> writer.hold(false);
                    default -> tell(gateway.state());
                }
            }
        }
    }

    private static void tell(GatewayState state) {
        long held = state.sessions().stream().mapToLong(GatewayState.Of::held).sum();
        long forged =
                state.sessions().stream().mapToLong(GatewayState.Of::forged).sum();
        System.out.println("state " + held + " " + (forged + state.stray()));
    }

    /** Takes records, or leaves them waiting as brokers do that are away. */
    private static final class Writer implements Sink {
        private final Queue<Done> waiting = new ArrayDeque<>();
        private boolean held;

        synchronized void hold(boolean hold) {
            held = hold;
            while (!held && !waiting.isEmpty()) {
                waiting.remove().accept(null);
            }
        }

        @Override
        public synchronized void write(RecordData record, Done done) {
            if (held) {
                waiting.add(done);
            } else {
                done.accept(null);
            }
        }

        @Override
        public void report(WindowReport report) {
            System.out.println("report " + report.records() + " " + report.delivered() + " " + report.kept());
        }
    }
}
