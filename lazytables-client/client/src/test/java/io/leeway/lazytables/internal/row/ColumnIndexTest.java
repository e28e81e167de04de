package io.leeway.lazytables.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns have the entries that they got when they came, however many there are: what finds them is another array behind 255. */
class ColumnIndexTest {

    private static final int STEPS = 20_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 254, 255, 256, 257, 400, 2_000})
    void everyColumnIsFoundWhereItWasAdded(int columns) {
        var random = new Random(Seeds.seed("columns " + columns));
        var index = new ColumnIndex(1 + random.nextInt(300));
        var copy = new ColumnIndex(4);
        Map<Integer, Integer> entries = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int column = random.nextInt(columns) * 7;
            assertThat(index.find(column)).isEqualTo(entries.getOrDefault(column, -1));
            if (random.nextInt(3) == 0) {
                int next = entries.size();
                assertThat(index.add(column)).isEqualTo(entries.computeIfAbsent(column, c -> next));
            } else if (random.nextInt(columns * 10) == 0) {
                index.clear();
                entries.clear();
            } else if (random.nextInt(200) == 0) {
                copy.copyFrom(index);
                checkSame(copy, entries);
                checkSame(ColumnIndex.ofThose(copy), entries);
            }
            assertThat(index.size()).isEqualTo(entries.size());
        }
        checkSame(index, entries);
    }

    private static void checkSame(ColumnIndex index, Map<Integer, Integer> entries) {
        assertThat(index.size()).isEqualTo(entries.size());
        entries.forEach((column, entry) -> {
            assertThat(index.find(column)).isEqualTo(entry);
            assertThat(index.columnAt(entry)).isEqualTo(column);
        });
    }

    /** Such a list may come from anybody. */
    @ParameterizedTest
    @ValueSource(ints = {10, 255, 256, 1_000})
    void aListMayNameAColumnTwice(int columns) {
        int[] list = new int[columns];
        for (int i = 0; i < columns; i++) {
            list[i] = i / 2;
        }
        ColumnIndex index = ColumnIndex.ofList(list);
        for (int i = 0; i < columns; i++) {
            assertThat(list[index.find(i / 2)]).isEqualTo(i / 2);
        }
        assertThat(index.find(columns)).isEqualTo(-1);
    }

    @Test
    void whatAListLacksIsAddedBehindIt() {
        ColumnIndex index = ColumnIndex.ofList(new int[] {3, 1});
        assertThat(index.add(1)).isEqualTo(1);
        assertThat(index.add(2)).isEqualTo(2);
        assertThat(index.find(2)).isEqualTo(2);
    }
}
