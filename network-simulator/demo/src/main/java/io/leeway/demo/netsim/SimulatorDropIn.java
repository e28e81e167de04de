package io.leeway.demo.netsim;

import io.leeway.demo.Bars;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Table;
import io.leeway.netsim.Experiment;
import io.leeway.netsim.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A short version of both studies. */
public final class SimulatorDropIn implements DropIn {

    /** Runs it alone. */
    public static void main(String... arguments) throws IOException {
        Demo.main(new SimulatorDropIn(), arguments);
    }

    @Override
    public String name() {
        return "simulator";
    }

    @Override
    public String title() {
        return "Network simulator: what a transport or a training job would do at the size of a data centre";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        study(
                context,
                "Transports: sixteen hosts send to one",
                "Each job needs half of its messages. ATP runs by the very classes of the product. The size ratio tells an "
                        + "honest sample (1) from one that small messages have won.",
                """
                study: jobs
                title: Incast, key-value messages, MSR 0.5
                topology: star 17
                pattern: incast
                load: 0
                jobs: 16
                messages: %d
                transports: [atp, atp-full, dctcp-es, dctcp-ss, udp]
                """.formatted(context.shortOrLong(1_000, 5_000)),
                "time ms",
                "ms",
                0);
        study(
                context,
                "Training: does the fabric have to help?",
                "VGG-16 on 32 workers at 25 Gbit/s: rings between hosts against copies and sums in the switch.",
                """
                study: training
                title: VGG-16, 32 workers
                models: [%s]
                mechanisms: [baseline, aggregation, multicast, both, ring, butterfly]
                """.formatted(context.isShort() ? "vgg-16" : "vgg-16, resnet-101"),
                "seconds",
                "s",
                1);
    }

    private static void study(
            DemoContext context, String heading, String text, String yaml, String column, String unit, int label)
            throws Exception {
        context.teller().heading(heading);
        context.teller().text(text);
        context.teller().code(yaml);
        Report report = Experiment.parse(yaml, Path.of("."))
                .run(share -> context.teller().progress(heading, share));
        context.teller().table(new Table(report.title(), report.columns(), report.rows()));
        int at = report.columns().indexOf(column);
        List<Bars.Bar> bars = report.rows().stream()
                .filter(row -> !row.get(at).equals("-"))
                .map(row -> new Bars.Bar(
                        label == 1 ? row.get(0) + ", " + row.get(1) : row.get(0), Double.parseDouble(row.get(at))))
                .toList();
        context.teller().bars(new Bars(column, unit, bars));
        Path directory = context.directory().resolve("simulator-" + label);
        report.writeTo(directory);
        context.teller().page("The report with its plots", directory.resolve("index.html"));
    }
}
