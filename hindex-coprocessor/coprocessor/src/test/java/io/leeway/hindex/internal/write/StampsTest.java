package io.leeway.hindex.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampsTest {

    private static final byte[] ROW = bytes("row");
    private static final byte[] FAMILY = bytes("f");
    private static final byte[] VALUE = bytes("v");
    private static final long NOW = 1_000;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Put put(int cells) {
        var put = new Put(ROW);
        for (int i = 0; i < cells; i++) {
            put.addColumn(FAMILY, bytes("q" + (100 + i)), VALUE);
        }
        return put;
    }

    /** Marked, and then stamped as HBase does it. */
    private static Stamps of(Mutation mutation) throws IOException {
        Stamps.mark(mutation);
        for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
            for (Cell cell : cells) {
                PrivateCellUtil.updateLatestStamp(cell, NOW);
            }
        }
        return Stamps.of(mutation);
    }

    private static List<Long> timestamps(Mutation mutation) {
        var timestamps = new ArrayList<Long>();
        mutation.getFamilyCellMap()
                .values()
                .forEach(cells -> cells.forEach(cell -> timestamps.add(cell.getTimestamp())));
        return timestamps;
    }

    private static Cell at(Cell cell, long timestamp) {
        try {
            PrivateCellUtil.setTimestamp(cell, timestamp);
            return cell;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15, 16, 17, 200})
    void allCellsHaveTheServersTime(int cells) throws IOException {
        Put put = put(cells);

        Stamps stamps = of(put);

        assertThat(stamps.areAll()).isTrue();
        assertThat(stamps.areNone()).isFalse();
        assertThat(stamps.serverTime(put)).isEqualTo(NOW);
        stamps.restamp(put, cell -> at(cell, NOW + 1));
        assertThat(timestamps(put)).hasSize(cells).containsOnly(NOW + 1);
    }

    @Test
    void someCellsHaveIt() throws IOException {
        Put put = put(2).addColumn(FAMILY, bytes("a"), 5, VALUE).addColumn(bytes("g"), bytes("b"), VALUE);

        Stamps stamps = of(put);

        assertThat(stamps.areAll()).isFalse();
        assertThat(stamps.serverTime(put)).isEqualTo(NOW);
        stamps.restamp(put, cell -> at(cell, NOW + 1));
        // As they were added, family by family.
        assertThat(timestamps(put)).containsExactly(NOW + 1, NOW + 1, 5L, NOW + 1);
    }

    /** That is given the timestamp of the version. */
    @Test
    void aDeleteOfTheNewestVersionHasNot() throws IOException {
        assertThat(of(new Delete(ROW).addColumn(FAMILY, VALUE)).areNone()).isTrue();
        assertThat(of(new Delete(ROW).addColumns(FAMILY, VALUE)).areAll()).isTrue();
    }

    @Test
    void aMutationWithoutCellsHasNone() throws IOException {
        assertThat(of(new Delete(ROW)).areNone()).isTrue();
    }

    @Test
    void whatAClientSaysOfItDoesNotCount() throws IOException {
        Put once = put(1);
        Stamps.mark(once);
        for (byte[] forged : List.of(
                new byte[] {1},
                once.getAttributesMap().values().iterator().next().clone())) {
            Put put = new Put(ROW).addColumn(FAMILY, VALUE, 5, VALUE);
            put.setAttribute("_hindex.server-time", forged);

            assertThat(of(put).areNone()).isTrue();
        }
    }

    @Test
    void cellsThatAnotherCoprocessorAddsHaveTheirOwn() throws IOException {
        Put put = put(1);
        Stamps.mark(put);
        put.addColumn(bytes("g"), bytes("added"), 5, VALUE);

        Stamps stamps = Stamps.of(put);

        assertThat(stamps.areAll()).isFalse();
        assertThat(stamps.has(0)).isTrue();
        assertThat(stamps.has(1)).isFalse();
    }
}
