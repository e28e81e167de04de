package io.leeway.it.hbase;

import java.util.List;

/**
 * What became of a class.
 *
 * @param entries index entries that its writes led to; without any it tried nothing of hindex
 * @param removals index entries that were removed again, by compactions for the most part
 * @param failures what failed, a line each
 */
record OwnTestResult(
        OwnTest test,
        Status status,
        int run,
        int failed,
        int ignored,
        long millis,
        long entries,
        long removals,
        List<String> failures) {

    /** How it ended. */
    enum Status {
        PASSED,
        FAILED,
        /** It did not end in time, or its JVM did before it. */
        BROKEN,
        /** It passed, but wrote nothing to an index. */
        IDLE,
        /** The time was up before. */
        NOT_RUN
    }

    OwnTestResult {
        failures = List.copyOf(failures);
    }

    static OwnTestResult broken(OwnTest test, long millis, String why) {
        return new OwnTestResult(test, Status.BROKEN, 0, 0, 0, millis, 0, 0, List.of(why));
    }

    static OwnTestResult notRun(OwnTest test) {
        return new OwnTestResult(test, Status.NOT_RUN, 0, 0, 0, 0, 0, 0, List.of());
    }

    boolean isGood() {
        return status == Status.PASSED;
    }
}
