package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException.Code;
import io.leeway.lazytables.spi.CombineOp;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What users get wrong is told where they do it, with the code that says what to change. */
@Timeout(120)
class MisuseTest {

    private static final TableSpec COUNTS = TableSpec.dense(CellType.LONG, 2);
    private static final TableSpec SPARSE = TableSpec.sparse(CellType.LONG);

    @Test
    void processesThatDisagreeAboutTheirNumberHearOfItWhenTheyConnect() {
        try (LazyTablesServer server = server(2)) {
            refused(
                    Code.CONFIGURATION,
                    "give all the same lazytables.processes",
                    () -> connect(server, 0, 3, Map.of()));
            refused(
                    Code.CONFIGURATION,
                    "give all the same lazytables.processes",
                    () -> connect(server, 2, 3, Map.of()));
        }
    }

    @Test
    void aTwinHearsOfItWhenItConnects() {
        try (LazyTablesServer server = server(2);
                LazyTables first = connect(server, 0, 2, Map.of())) {
            refused(Code.DROPPED, "There is a process 0 already", () -> connect(server, 0, 2, Map.of()));

            first.end();
        }
    }

    /** It could not be told what of its work counts. */
    @Test
    void aProcessAtWorkThatDidNotResumeIsNotReplaced() {
        try (LazyTablesServer server = server(1);
                LazyTables first = connect(server, 0, 1, Map.of())) {
            Table counts = first.table("counts", COUNTS);
            refused(
                    Code.DROPPED,
                    "without lazytables.resume, so nobody takes its place",
                    () -> connect(server, 0, 1, Map.of("lazytables.resume", "true")));

            first.worker(0).increment(counts, 0, 0, 7);
            first.worker(0).clock();
            assertThat(first.worker(0).getLong(counts, 0, 0)).isEqualTo(7);
            first.end();
        }
    }

    @Test
    void aTableThatIsDefinedOtherwiseElsewhereIsSaidToBe() {
        try (LazyTablesServer server = server(2);
                LazyTables first = connect(server, 0, 2, Map.of());
                LazyTables second = connect(server, 1, 2, Map.of())) {
            first.table("counts", COUNTS.slack(3));
            first.worker(0).clock();
            second.table("counts", COUNTS);

            // One of the two: whose came second is refused.
            Awaitility.await()
                    .untilAsserted(() -> refused(Code.BAD_TABLE, "every process must define it alike", () -> {
                        first.statistics();
                        first.table("any", COUNTS);
                        second.table("any", COUNTS);
                    }));
        }
    }

    @Test
    void namesThatServersWouldNotReadAreRefused() {
        try (LazyTables tables = LazyTables.connect()) {
            refused(Code.BAD_TABLE, "1026 bytes", () -> tables.table("\u00e4".repeat(513), COUNTS));
            refused(Code.BAD_TABLE, "half a surrogate pair", () -> tables.table("t\ud800", COUNTS));
            tables.table("\u00e4".repeat(512), COUNTS);
            tables.worker(0).clock();
            tables.end();
        }
    }

    /** Servers know an operation by its name, and would take another one for it, or not read it. */
    @Test
    void operationsWhoseNamesServersWouldTakeForOthersAreRefused() {
        try (LazyTables tables = LazyTables.connect()) {
            refused(
                    Code.BAD_TABLE,
                    "has the name of the built-in ADD",
                    () -> tables.table("product", SPARSE.op(new Product("ADD"))));
            refused(
                    Code.BAD_TABLE,
                    "1026 bytes",
                    () -> tables.table("p", SPARSE.op(new Product("\u00e4".repeat(513)))));
            refused(Code.BAD_TABLE, "half a surrogate pair", () -> tables.table("p", SPARSE.op(new Product("\udc00"))));
            tables.worker(0).clock();
            tables.end();
        }
    }

    private record Product(String name) implements CombineOp {

        @Override
        public long identityLong() {
            return 1;
        }

        @Override
        public double identityDouble() {
            return 1;
        }

        @Override
        public long combine(long a, long b) {
            return a * b;
        }

        @Override
        public double combine(double a, double b) {
            return a * b;
        }
    }

    @Test
    void nothingIsReadOrUpdatedAfterTheEnd() {
        LazyTables tables = LazyTables.connect();
        Table counts = tables.table("counts", COUNTS);
        Worker worker = tables.worker(0);
        worker.getLong(counts, 0, 0);
        tables.close();

        refused(Code.CLOSED, "was closed", () -> worker.increment(counts, 0, 0, 1));
        refused(Code.CLOSED, "was closed", () -> worker.put(counts, 0, 0, 1));
        refused(Code.CLOSED, "was closed", () -> worker.getLong(counts, 0, 0));
    }

    @Test
    void cellsThatARowDoesNotHoldAreRefused() {
        try (LazyTables tables = LazyTables.connect()) {
            for (TableSpec spec : new TableSpec[] {COUNTS, SPARSE}) {
                Table table = tables.table(spec.sparse() ? "sparse" : "dense", spec);
                tables.worker(0).increment(table, 0, 1, 5);
                RowView row = tables.worker(0).read(table, 0);
                int entries = row.entries();

                refused(Code.OUT_OF_RANGE, "none of number 99", () -> row.valueAt(99));
                refused(Code.OUT_OF_RANGE, "none of number " + entries, () -> row.longAt(entries));
                refused(Code.OUT_OF_RANGE, "none of number -1", () -> row.columnAt(-1));
                assertThat(row.longAt(entries - 1)).isEqualTo(5);
            }
            tables.end();
        }
    }

    @Test
    void aHostWithoutAnAddressIsSaidToHaveNone() {
        refused(
                Code.CONFIGURATION,
                "names a host that has no address",
                () -> LazyTablesServer.start(Map.of("lazytables.server.listen", "no-such-host.invalid:0")));
    }

    private static void refused(Code code, String why, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        LazyTablesException.class,
                        thrown -> assertThat(thrown.code()).isEqualTo(code))
                .hasMessageContaining(why);
    }

    private static LazyTablesServer server(int processes) {
        return LazyTablesServer.start(
                Map.of("lazytables.server.listen", "127.0.0.1:0", "lazytables.processes", Integer.toString(processes)));
    }

    private static LazyTables connect(LazyTablesServer server, int process, int processes, Map<String, String> more) {
        var options = new HashMap<>(more);
        options.put("lazytables.servers", server.address().toString());
        options.put("lazytables.process", Integer.toString(process));
        options.put("lazytables.processes", Integer.toString(processes));
        return LazyTables.builder().options(options).connect();
    }
}
