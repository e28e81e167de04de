package io.leeway.approx.internal.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TakenBatchesTest {

    private final TakenBatches batches = new TakenBatches();

    private static TakenBatches.Batch batch(long producer, int sequence) {
        return new TakenBatches.Batch(producer, (short) 0, "trips", 0, sequence);
    }

    @Test
    void whatWasTakenIsNotTakenAgain() {
        List<TakenBatches.Batch> first = List.of(batch(7, 0));
        assertThat(batches.begin(first)).contains(first);
        batches.end(first, true);
        assertThat(batches.begin(first)).contains(List.of());
        assertThat(batches.begin(List.of(batch(7, 0), batch(7, 10)))).contains(List.of(batch(7, 10)));
    }

    @Test
    void nobodyCanSayYetOfWhatIsBeingTaken() {
        List<TakenBatches.Batch> first = List.of(batch(7, 0));
        assertThat(batches.begin(first)).contains(first);
        assertThat(batches.begin(List.of(batch(7, 0), batch(8, 0)))).isEmpty();
        assertThat(batches.begin(List.of(batch(8, 0)))).contains(List.of(batch(8, 0)));
    }

    @Test
    void whatWasRefusedMayComeAgain() {
        List<TakenBatches.Batch> first = List.of(batch(7, 0));
        assertThat(batches.begin(first)).contains(first);
        batches.end(first, false);
        assertThat(batches.begin(first)).contains(first);
    }

    @Test
    void producersWithoutNumbersAreTakenAtTheirWord() {
        List<TakenBatches.Batch> first = List.of(batch(-1, -1));
        assertThat(batches.begin(first)).contains(first);
        batches.end(first, true);
        assertThat(batches.begin(first)).contains(first);
    }

    @Test
    void onlyTheLastFiveOfAProducerAreRemembered() {
        for (int i = 0; i < 6; i++) {
            List<TakenBatches.Batch> each = List.of(batch(7, i));
            assertThat(batches.begin(each)).contains(each);
            batches.end(each, true);
        }
        assertThat(batches.begin(List.of(batch(7, 5)))).contains(List.of());
        assertThat(batches.begin(List.of(batch(7, 1)))).contains(List.of());
        assertThat(batches.begin(List.of(batch(7, 0)))).contains(List.of(batch(7, 0)));
    }

    @Test
    void aNewEpochOfAProducerBeginsAnew() {
        List<TakenBatches.Batch> first = List.of(batch(7, 0));
        assertThat(batches.begin(first)).contains(first);
        batches.end(first, true);
        List<TakenBatches.Batch> next = List.of(new TakenBatches.Batch(7, (short) 1, "trips", 0, 0));
        assertThat(batches.begin(next)).contains(next);
    }
}
