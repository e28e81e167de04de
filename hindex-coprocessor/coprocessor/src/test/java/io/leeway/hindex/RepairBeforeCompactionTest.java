package io.leeway.hindex;

/** Repair by a reading of its own before each compaction of all files. */
class RepairBeforeCompactionTest extends WaitingRepairContract {

    @Override
    String variant() {
        return "before-compaction";
    }

    @Override
    long cellsReadOf(long stored) {
        return stored;
    }
}
