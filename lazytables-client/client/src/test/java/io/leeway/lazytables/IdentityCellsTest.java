package io.leeway.lazytables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which cells a row holds is the same for who wrote them, who had the row and got its changes, and who reads it anew. */
@Timeout(120)
class IdentityCellsTest {

    private static final int GONE = 3;
    private static final int STAYS = 900;
    private static final int NEGATIVE_NOUGHT = 40;

    static Stream<TableSpec> specs() {
        return Stream.of(CellType.values())
                .flatMap(type -> Stream.of(TableSpec.sparse(type), TableSpec.dense(type, 1_000)))
                .flatMap(spec -> Stream.of(spec, spec.asStrict()));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void cellsThatWentBackToNoughtAreHeldByNobody(TableSpec spec) {
        try (EmbeddedServers servers = EmbeddedServers.start(1, 3);
                LazyTables writer = connect(servers, 0);
                LazyTables follower = connect(servers, 1);
                LazyTables late = connect(servers, 2)) {
            List<LazyTables> all = List.of(writer, follower, late);
            var tables = new ArrayList<Table>();
            all.forEach(each -> tables.add(each.table("cells", spec)));

            writer.worker(0).increment(tables.get(0), 7, STAYS, 1);
            writer.worker(0).increment(tables.get(0), 7, GONE, 5);
            assertThat(writer.worker(0).read(tables.get(0), 7, 0).filledColumns())
                    .containsExactly(GONE, STAYS);
            all.forEach(each -> each.worker(0).clock());
            assertThat(follower.worker(0).read(tables.get(1), 7, 0).filledColumns())
                    .containsExactly(GONE, STAYS);

            boolean hasSigns = spec.type() == CellType.FLOAT || spec.type() == CellType.DOUBLE;
            int[] held = hasSigns ? new int[] {NEGATIVE_NOUGHT, STAYS} : new int[] {STAYS};
            writer.worker(0).increment(tables.get(0), 7, GONE, -5);
            if (hasSigns) {
                writer.worker(0).put(tables.get(0), 7, NEGATIVE_NOUGHT, -0.0);
            }
            assertThat(writer.worker(0).read(tables.get(0), 7, 0).filledColumns())
                    .as("before the clock")
                    .containsExactly(held);
            all.forEach(each -> each.worker(0).clock());
            for (int i = 0; i < all.size(); i++) {
                assertThat(all.get(i).worker(0).read(tables.get(i), 7, 0).filledColumns())
                        .as("process %d", i)
                        .containsExactly(held);
            }
            all.forEach(LazyTables::end);
        }
    }

    @ParameterizedTest
    @MethodSource("specs")
    void whatALeastValueIsNotBelowIsNoValue(TableSpec given) {
        TableSpec spec = given.op(Combine.MIN);
        try (EmbeddedServers servers = EmbeddedServers.start(1, 2);
                LazyTables writer = connect(servers, 0);
                LazyTables reader = connect(servers, 1)) {
            Table here = writer.table("least", spec);
            Table there = reader.table("least", spec);
            double identity = writer.worker(0).read(here, 0, 0).get(GONE);

            writer.worker(0).update(here, 0, STAYS, 4);
            if (spec.type() == CellType.FLOAT || spec.type() == CellType.DOUBLE) {
                writer.worker(0).update(here, 0, GONE, identity);
            } else {
                writer.worker(0).update(here, 0, GONE, writer.worker(0).getLong(here, 0, GONE));
            }
            assertThat(writer.worker(0).read(here, 0, 0).filledColumns()).containsExactly(STAYS);
            writer.worker(0).clock();
            reader.worker(0).clock();
            assertThat(writer.worker(0).read(here, 0, 0).filledColumns()).containsExactly(STAYS);
            assertThat(reader.worker(0).read(there, 0, 0).filledColumns()).containsExactly(STAYS);
            assertThat(reader.worker(0).read(there, 1, 0).filledColumns()).isEmpty();
            writer.end();
            reader.end();
        }
    }

    private static LazyTables connect(EmbeddedServers servers, int number) {
        return LazyTables.builder().servers(servers, number).connect();
    }
}
