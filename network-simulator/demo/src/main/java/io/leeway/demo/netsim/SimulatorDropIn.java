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
                transports: [atp, atp-full, dctcp-es, dctcp-ss, pfabric-es, aeolus-es, udp]
                checks:
                  - 'time ms{transport=atp-full} < time ms{transport=dctcp-es}'
                  - 'size ratio{transport=atp} ~ 1 within 5 %%'
                """.formatted(context.shortOrLong(1_000, 5_000)),
                List.of("transport", "time ms", "loss", "size ratio", "queue packets"),
                "time ms",
                "ms");
        study(
                context,
                "Training: does the fabric have to help?",
                "VGG-16 on 32 workers at 25 Gbit/s: rings between hosts against copies and sums in the switch, beside what "
                        + "was published.",
                """
                study: training
                title: VGG-16, 32 workers
                models: [%s]
                mechanisms: [baseline, aggregation, multicast, both, ring, butterfly]
                checks:
                  - 'speedup{model=vgg-16, mechanism=both} ~ 22.0'
                  - 'speedup{model=vgg-16, mechanism=ring} ~ 24.6'
                  - 'speedup{model=vgg-16, mechanism=butterfly} ~ 11.3'
                """.formatted(context.isShort() ? "vgg-16" : "vgg-16, resnet-101"),
                List.of("model", "mechanism", "seconds", "speedup"),
                "seconds",
                "s");
    }

    private static void study(
            DemoContext context,
            String heading,
            String text,
            String yaml,
            List<String> columns,
            String column,
            String unit)
            throws Exception {
        context.teller().heading(heading);
        context.teller().text(text);
        context.teller().code(yaml);
        Report report = Experiment.parse(yaml, Path.of("."))
                .run(share -> context.teller().progress(heading, share));
        List<List<String>> rows = report.rows().stream()
                .map(row -> columns.stream()
                        .map(name -> row.get(report.columns().indexOf(name)))
                        .toList())
                .toList();
        context.teller().table(new Table(report.title(), columns, rows));
        context.teller()
                .table(new Table(
                        "What was expected",
                        List.of("expected", "measured", "outcome"),
                        report.verdicts().stream()
                                .map(verdict -> List.of(verdict.claim(), verdict.measured(), verdict.outcome()))
                                .toList()));
        int at = report.columns().indexOf(column);
        boolean isTraining = columns.contains("model");
        List<Bars.Bar> bars = report.rows().stream()
                .filter(row -> !row.get(at).equals("-"))
                .map(row -> new Bars.Bar(
                        isTraining ? row.get(0) + ", " + row.get(1) : row.get(0), Double.parseDouble(row.get(at))))
                .toList();
        context.teller().bars(new Bars(column, unit, bars));
        Path directory = context.directory().resolve(isTraining ? "simulator-training" : "simulator-jobs");
        report.writeTo(directory);
        context.teller().page("The report with its plots", directory.resolve("index.html"));
    }
}
