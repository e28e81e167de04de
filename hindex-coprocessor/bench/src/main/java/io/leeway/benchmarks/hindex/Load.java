package io.leeway.benchmarks.hindex;

import java.time.Duration;

/**
 * What clients do to a store.
 *
 * @param clients threads, each with a connection of its own
 * @param readPercent how many operations in a hundred are reads; the others are writes of one row
 * @param readsByKey whether they read by key instead of by value
 * @param target operations a second that all of them together try to make; 0 for as many as they can
 * @param time how long
 */
record Load(int clients, int readPercent, boolean readsByKey, double target, Duration time) {

    Load during(Duration other) {
        return new Load(clients, readPercent, readsByKey, target, other);
    }
}
