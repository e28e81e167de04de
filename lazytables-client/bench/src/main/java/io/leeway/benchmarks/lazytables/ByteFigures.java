package io.leeway.benchmarks.lazytables;

import static io.leeway.benchmarks.lazytables.Measuring.MEGA;
import static io.leeway.benchmarks.lazytables.Measuring.PERCENT;

import java.io.IOException;
import java.util.List;

/** What a client sends and receives in a pass, at equal staleness (source: table 4.2). */
record ByteFigures(Measuring measuring) {

    private static final int WORKERS = 4;
    private static final int WARM_UP = 8;
    private static final int PASSES = 40;
    private static final List<Setting> SETTINGS = List.of(
            Setting.of("A-BSP (work 4, slack 0)", WORKERS, "4", "0", PASSES),
            Setting.of("hybrid (work 2, slack 1)", WORKERS, "2", "1", PASSES),
            Setting.of("SSP (work 1, slack 3)", WORKERS, "1", "3", PASSES));
    private static final List<String> SOURCE = List.of(
            "33.0 MB sent, 29.7 MB received", "61.9 MB sent, 51.0 MB received", "119.4 MB sent, 81.5 MB received");

    void run() throws IOException, InterruptedException {
        double first = 0;
        for (int i = 0; i < SETTINGS.size(); i++) {
            Setting setting = SETTINGS.get(i);
            MeasuredRun.Span span = measuring.run(Workload.LDA, setting).between(WARM_UP, PASSES);
            double out = span.bytesOut() / span.passes() / MEGA;
            double in = span.bytesIn() / span.passes() / MEGA;
            String figure = "LDA, " + setting.name() + ": ";
            String peer = "source, with its data: " + SOURCE.get(i);
            measuring.lower(figure + "sent by a client in a pass", out, "MB", null, peer);
            measuring.lower(figure + "received by a client in a pass", in, "MB", null, peer);
            first = i == 0 ? in : first;
            if (i == SETTINGS.size() - 1) {
                measuring.higher(
                        figure + "received less than four times that of work 4, by",
                        (1 - in / (4 * first)) * PERCENT,
                        "%",
                        null,
                        "source: about 30 %");
            }
        }
    }
}
