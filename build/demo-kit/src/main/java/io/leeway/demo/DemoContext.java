package io.leeway.demo;

import java.nio.file.Path;

/**
 * What a drop-in gets from the demo.
 *
 * @param isShort whether only the essential is wanted, as in a build: fewer repetitions, no long measurements
 * @param teller where to tell what happens
 * @param directory where the page goes, and further pages may
 */
public record DemoContext(boolean isShort, Teller teller, Path directory) {

    /** One of two numbers, for repetitions. */
    public int shortOrLong(int whenShort, int whenLong) {
        return isShort ? whenShort : whenLong;
    }
}
