package io.leeway.hindex.internal.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.hindex.internal.collect.Retention;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompactionModeTest {

    private static CompactionMode mode(
            Retention.Repair repair, StoreRepair.Variant variant, boolean isWhole, boolean isUnsure) {
        return CompactionMode.of(new StoreRepair.Settings(10, repair, variant), isWhole, isUnsure);
    }

    @ParameterizedTest
    @EnumSource(Retention.Repair.class)
    void aPipelinedCompactionDoesItAllItself(Retention.Repair repair) {
        for (boolean isWhole : new boolean[] {false, true}) {
            assertThat(mode(repair, StoreRepair.Variant.PIPELINED, isWhole, false))
                    .isEqualTo(new CompactionMode(isWhole, false, false, repair));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anIsolatedOneLeavesWhatItKeepsToTheRunThatFollows(boolean isWhole) {
        assertThat(mode(Retention.Repair.STRICT, StoreRepair.Variant.ISOLATED, isWhole, false))
                .isEqualTo(new CompactionMode(isWhole, true, false, Retention.Repair.LAZY));
    }

    @Test
    void butNotAfterARunThatMayHaveOverlookedSomething() {
        assertThat(mode(Retention.Repair.STRICT, StoreRepair.Variant.ISOLATED, true, true))
                .isEqualTo(new CompactionMode(true, false, false, Retention.Repair.STRICT));
        assertThat(mode(Retention.Repair.STRICT, StoreRepair.Variant.ISOLATED, false, true))
                .isEqualTo(new CompactionMode(false, true, false, Retention.Repair.LAZY));
    }

    @Test
    void onlyACompactionOfAllFilesIsReadBeforeAndOnlyWhereThereIsRepair() {
        for (Retention.Repair repair : Retention.Repair.values()) {
            assertThat(mode(repair, StoreRepair.Variant.BEFORE_COMPACTION, true, false)
                            .readsBefore())
                    .isEqualTo(repair != Retention.Repair.NONE);
            assertThat(mode(repair, StoreRepair.Variant.BEFORE_COMPACTION, false, false)
                            .readsBefore())
                    .isFalse();
        }
    }

    /** Who repairs nothing keeps all versions, whatever the variant. */
    @ParameterizedTest
    @EnumSource(StoreRepair.Variant.class)
    void withoutRepairNothingIsRemoved(StoreRepair.Variant variant) {
        assertThat(mode(Retention.Repair.NONE, variant, true, false).repair()).isEqualTo(Retention.Repair.NONE);
    }
}
