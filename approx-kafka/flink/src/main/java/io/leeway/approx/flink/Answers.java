package io.leeway.approx.flink;

import io.leeway.approx.ApproxException;
import io.leeway.approx.WindowReport;
import io.leeway.approx.estimate.Estimate;
import io.leeway.approx.estimate.Moments;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The answer that follows from what was seen of one group of one window. No host types. */
final class Answers {

    private Answers() {}

    /** Whether the records seen are those that the reports count. */
    static boolean agree(Map<String, Seen> seen, Collection<WindowReport> reports) {
        return !reports.isEmpty() && seen(seen) == delivered(reports);
    }

    private static long seen(Map<String, Seen> seen) {
        return seen.values().stream().mapToLong(Seen::all).sum();
    }

    private static long delivered(Collection<WindowReport> reports) {
        return reports.stream().mapToLong(WindowReport::delivered).sum();
    }

    /** The answer; {@code of} is any event of the window. */
    static WindowAnswer answer(
            String topic,
            long from,
            long to,
            String group,
            int revision,
            Map<String, Seen> seen,
            Collection<WindowReport> reports,
            double confidence) {
        long records = reports.stream().mapToLong(WindowReport::records).sum();
        long delivered = delivered(reports);
        List<String> warnings = new ArrayList<>();
        if (reports.isEmpty()) {
            warnings.add("no report has come: how many records there were is not known");
        } else if (seen(seen) != delivered) {
            warnings.add(seen(seen) + " records were seen where " + delivered + " were delivered");
        }
        boolean kept = !reports.isEmpty() && reports.stream().allMatch(WindowReport::kept);
        if (!kept && !reports.isEmpty()) {
            warnings.add("fewer records were delivered than promised");
        }
        long refused = reports.stream().mapToLong(WindowReport::refused).sum();
        if (refused > 0) {
            warnings.add(refused + " records were refused by the brokers (" + whyRefused(reports)
                    + "): what is missing is not missing by chance");
        }
        if (reports.stream().anyMatch(WindowReport::biased)) {
            warnings.add("the sample is suspect: lengths differ from those of all records");
        }
        Estimate sum = reports.isEmpty() ? null : estimate(seen, reports, confidence, warnings);
        double values =
                seen.values().stream().mapToLong(part -> part.numbers().count()).sum();
        // The mean is of those records that have a number: how many they are follows from the sample too, where some
        // have none.
        double population = sum == null ? Double.NaN : sum.population() * (values / Math.max(1, seen(seen)));
        return new WindowAnswer(
                topic,
                from,
                to,
                group,
                revision,
                records,
                delivered,
                kept,
                (long) values,
                sum == null ? Double.NaN : sum.value() / population,
                sum == null ? Double.NaN : sum.low() / population,
                sum == null ? Double.NaN : sum.high() / population,
                sum == null ? Double.NaN : sum.value(),
                sum == null ? Double.NaN : sum.low(),
                sum == null ? Double.NaN : sum.high(),
                confidence,
                exactSum(reports, records),
                bias(reports),
                String.join("; ", warnings));
    }

    private static String whyRefused(Collection<WindowReport> reports) {
        return reports.stream()
                .map(WindowReport::refusedWhy)
                .filter(why -> !why.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static double exactSum(Collection<WindowReport> reports, long records) {
        long values = reports.stream().mapToLong(WindowReport::values).sum();
        return values == 0 || records == 0
                ? Double.NaN
                : reports.stream().mapToDouble(WindowReport::sum).sum();
    }

    private static double bias(Collection<WindowReport> reports) {
        return reports.stream()
                .mapToDouble(WindowReport::biasZ)
                .filter(Double::isFinite)
                .reduce(0, (one, other) -> Math.abs(one) > Math.abs(other) ? one : other);
    }

    private static @Nullable Estimate estimate(
            Map<String, Seen> seen, Collection<WindowReport> reports, double confidence, List<String> warnings) {
        long numbers =
                seen.values().stream().mapToLong(part -> part.numbers().count()).sum();
        if (numbers == 0) {
            return null;
        }
        if (numbers < seen(seen)) {
            warnings.add("some records have no number: they count as 0 in the sum, and not in the mean");
        }
        List<Moments> samples = new ArrayList<>();
        List<Long> populations = new ArrayList<>();
        if (reports.stream().allMatch(report -> matches(seen.get(report.source()), report))) {
            // Each producer's sample is of its own rate: strata.
            for (WindowReport report : reports) {
                if (report.records() > 0) {
                    Seen part = seen.get(report.source());
                    samples.add(part == null ? Moments.NONE : part.withZeros());
                    populations.add(report.records());
                }
            }
        } else {
            if (reports.stream().mapToDouble(WindowReport::msr).distinct().count() > 1) {
                warnings.add("samples of several rates were taken together: set approx.mark=on at the gateway");
            }
            Moments all = seen.values().stream().map(Seen::withZeros).reduce(Moments.NONE, Moments::plus);
            samples.add(all);
            long records = reports.stream().mapToLong(WindowReport::records).sum();
            populations.add(Math.max(records, all.count()));
        }
        try {
            Estimate sum = Moments.sum(samples, populations, confidence);
            warnings.addAll(sum.warnings());
            return sum;
        } catch (ApproxException e) {
            warnings.add(e.getMessage());
            return null;
        }
    }

    private static boolean matches(@Nullable Seen part, WindowReport report) {
        return (part == null ? 0 : part.all()) == report.delivered();
    }
}
