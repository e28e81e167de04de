package io.leeway.approx;

import io.leeway.approx.atp.JobReport;
import io.leeway.approx.internal.net.FlowClient;
import io.leeway.approx.internal.net.FlowState;
import io.leeway.approx.internal.wire.RecordData;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A shim's flow in a process of its own. Each line of its input is a number of records, which become one window. */
public final class NearEnd {

    private NearEnd() {}

    /** Arguments: where the keys are, the host of the gateway. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> options = new HashMap<>(KeyStores.shim(Path.of(arguments[0])));
        options.put("approx.gateway", arguments[1] + ":" + FarEnd.PORT);
        options.put("approx.topics", "trips(msr=0.5;window=1h)");
        options.put("approx.rate.max", "100000000");
        options.put("approx.mode", "atp");
        options.put("approx.udp.timeout", "2s");
        options.put("approx.probe.interval", "1s");
        try (FlowClient flow = new FlowClient(ApproxOptions.of(options), NearEnd::finished);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            flow.start();
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                window(flow, Integer.parseInt(line));
            }
        }
    }

    private static void window(FlowClient flow, int count) throws InterruptedException {
        List<RecordData> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            records.add(new RecordData("trips", 0, 1_000, null, new byte[300], List.of()));
        }
        boolean[] taken = new boolean[1];
        while (!taken[0]) {
            CountDownLatch told = new CountDownLatch(1);
            flow.submit(records, yes -> {
                taken[0] = yes;
                told.countDown();
            });
            told.await();
            if (!taken[0]) {
                Thread.sleep(20);
            }
        }
        System.out.println(
                "taken " + (flow.state() instanceof FlowState.Up up && up.datagrams() ? "datagrams" : "tcp"));
        System.out.println("drained " + flow.drain(120_000));
    }

    private static void finished(JobReport report) {
        System.out.println("finished " + report.kept());
    }
}
