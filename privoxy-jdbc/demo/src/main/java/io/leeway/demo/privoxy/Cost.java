package io.leeway.demo.privoxy;

import io.leeway.demo.Bars;
import io.leeway.demo.DemoContext;
import io.leeway.demo.Table;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.fixtures.FixtureInstance;
import io.leeway.testkit.fixtures.Page;
import io.leeway.testkit.fixtures.PageRun;
import io.leeway.testkit.fixtures.PageRunner;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/** Loads the pages plain, checked for the first time, and checked with templates from another user's pages. */
final class Cost {

    private static final double MICROS = 1_000;

    private final DataSource plain;
    private final DataSource checked;
    private final FixtureInstance network;
    private final DemoContext context;

    Cost(DataSource plain, DataSource checked, FixtureInstance network, DemoContext context) {
        this.plain = plain;
        this.checked = checked;
        this.network = network;
        this.context = context;
    }

    void show() throws SQLException {
        context.teller().heading("What it costs");
        List<List<String>> rows = new ArrayList<>();
        double[] sums = new double[3];
        List<Page> pages = network.scenarios().get(1).pages();
        for (int p = 0; p < pages.size(); p++) {
            Page page = pages.get(p);
            double cold = time(checked, page);
            Page others = network.scenarios().get(2).pages().get(p);
            time(checked, others);
            double[] both = compare(others);
            rows.add(
                    List.of(page.url(), Integer.toString(count(page)), micros(both[0]), micros(both[1]), micros(cold)));
            sums[0] += both[0];
            sums[1] += both[1];
            sums[2] += cold;
        }
        context.teller()
                .table(new Table(
                        "Time of a page's queries (median), on this machine, now: plain driver, checked with templates learnt"
                                + " from another user's visit, and the very first visit",
                        List.of("page", "queries", "plain", "checked", "first visit"),
                        rows));
        context.teller()
                .bars(new Bars(
                        "All pages together",
                        "ms",
                        List.of(
                                new Bars.Bar("plain driver", sums[0] / MICROS),
                                new Bars.Bar("checked", sums[1] / MICROS),
                                new Bars.Bar("first visit ever", sums[2] / MICROS))));
    }

    private static String micros(double micros) {
        return String.format(Locale.ROOT, "%,.0f µs", micros);
    }

    /** Medians of plain and checked, taken in turn so that both see the same machine. */
    private double[] compare(Page page) throws SQLException {
        int loads = context.shortOrLong(20, 200);
        double[] without = new double[loads];
        double[] with = new double[loads];
        for (int i = 0; i < loads; i++) {
            without[i] = time(plain, page);
            with[i] = time(checked, page);
        }
        return new double[] {median(without), median(with)};
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private int count(Page page) throws SQLException {
        try (Connection connection = plain.getConnection()) {
            return PageRunner.run(connection, page).count();
        }
    }

    /** Microseconds for the page's queries. */
    private static double time(DataSource source, Page page) throws SQLException {
        long start = System.nanoTime();
        try (PrivoxyRequest request = Privoxy.begin(
                        Map.of("MyUId", Objects.requireNonNull(page.context().get("MyUId"))));
                Connection connection = source.getConnection()) {
            PageRun run = PageRunner.run(connection, page);
            if (!run.surprises().isEmpty()) {
                throw new SQLException(
                        page.url() + ": " + run.surprises().get(0).query().name(),
                        run.surprises().get(0).failure());
            }
        }
        return (System.nanoTime() - start) / MICROS;
    }
}
