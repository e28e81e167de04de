package io.leeway.lazytables.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.Seeds;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ColumnSetTest {

    @Test
    void holdsJustItsColumnsHoweverFarApartTheyAre() {
        RandomGenerator random = Seeds.random("column-set");
        for (int span : new int[] {1, 63, 64, 65, 100, 1_000, 1 << 20, Integer.MAX_VALUE}) {
            for (int count = 0; count <= 40; count++) {
                var columns = new TreeSet<Integer>();
                for (int i = 0; i < count; i++) {
                    columns.add(random.nextInt(span));
                }
                var set = new ColumnSet(
                        columns.stream().mapToInt(Integer::intValue).toArray());

                assertThat(set.isEmpty()).isEqualTo(columns.isEmpty());
                assertThat(columns).allMatch(set::contains);
                for (int i = 0; i < 100; i++) {
                    int column = i % 2 == 0 ? random.nextInt(span) : i;
                    assertThat(set.contains(column))
                            .as("column %d of %s", column, columns)
                            .isEqualTo(columns.contains(column));
                }
                assertThat(set.contains(Integer.MAX_VALUE)).isEqualTo(columns.contains(Integer.MAX_VALUE));
            }
        }
    }
}
