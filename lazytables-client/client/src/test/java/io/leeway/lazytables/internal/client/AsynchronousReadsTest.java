package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.Prefetch;
import io.leeway.lazytables.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads that wait for nobody still see, in the end, what others do. */
class AsynchronousReadsTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 1).slack(TableSpec.ASYNC);

    static Prefetch[] everyPrefetch() {
        return new Prefetch[] {
            Prefetch.NONE, Prefetch.learned(), Prefetch.pushed(), Prefetch.automatic(16, 1), Prefetch.automatic(16, 0)
        };
    }

    @ParameterizedTest
    @MethodSource("everyPrefetch")
    void aRowThatTheProcessHasIsBroughtUpToDateBehindTheRead(Prefetch prefetch) {
        var net = new ByHand(2, SPEC, prefetch);
        ByHand.Client reader = net.client(0);
        reader.read(7);
        net.deliverAll();
        assertThat(reader.read(7).getLong(0)).isZero();
        net.deliverAll();
        reader.clock();

        net.client(1).add(7, 5);
        net.client(1).clock();
        net.deliverAll();
        // It waits for nobody: what is there. What is newer comes meanwhile, for a later clock.
        assertThat(reader.read(7)).isNotNull();
        net.deliverAll();
        reader.clock();

        assertThat(reader.read(7).getLong(0)).isEqualTo(5);
    }

    @Test
    void itIsAskedForOnceInAClock() {
        var net = new ByHand(2, SPEC, Prefetch.NONE);
        ByHand.Client reader = net.client(0);
        reader.read(7);
        net.deliverAll();
        reader.read(7);
        assertThat(reader.core.hasQuestions()).isTrue();
        net.deliverAll();

        reader.read(7);
        assertThat(reader.core.hasQuestions()).isFalse();
        reader.clock();
        // Who asked for it in this clock need not be asked again by the read.
        reader.core.refresh(reader.table, new long[] {7}, 0, 1);
        net.client(1).clock();
        net.deliverAll();
        reader.read(7);
        assertThat(reader.core.hasQuestions()).isFalse();
    }
}
