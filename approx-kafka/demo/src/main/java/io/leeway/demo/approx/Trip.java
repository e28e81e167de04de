package io.leeway.demo.approx;

import java.util.Locale;
import java.util.Random;

/**
 * A ride in a taxi, as it stands in a record: {@code zone,minutes,fare}.
 *
 * @param timestamp when it ended, in milliseconds
 * @param zone where it ended
 * @param minutes how long it took
 * @param fare what it cost
 */
record Trip(long timestamp, int zone, double minutes, double fare) {

    static final int HOURS = 24;
    static final long HOUR = 3_600_000;

    /** Midnight of some day; its hours are whole windows. */
    static final long MIDNIGHT = 1_767_225_600_000L;

    private static final int ZONES = 40;

    /** One producer's trips of a day, the same whenever it is asked: so the truth is known. */
    static final class Day {
        private final Random random;
        private final int anHour;
        private int next;

        Day(int producer, int anHour) {
            random = new Random(7_919L * producer + 17);
            this.anHour = anHour;
        }

        /** Trips that it has altogether. */
        int size() {
            return HOURS * anHour;
        }

        /** The next trip; fares are skewed, as fares are, and dearer at night. */
        Trip next() {
            int hour = next / anHour;
            long at = MIDNIGHT + hour * HOUR + next % anHour * HOUR / anHour;
            next++;
            double minutes = Math.exp(2.2 + 0.6 * random.nextGaussian());
            double night = hour < 6 || hour > 21 ? 1.5 : 1;
            double fare = Math.round(100 * night * (3.5 + 1.1 * minutes + random.nextDouble())) / 100.0;
            return new Trip(at, random.nextInt(ZONES), minutes, fare);
        }
    }

    /** The hour of the day that a time is in. */
    static int hour(long timestamp) {
        return (int) ((timestamp - MIDNIGHT) / HOUR);
    }

    /** The record's value. */
    String text() {
        return String.format(Locale.ROOT, "%d,%.1f,%.2f", zone, minutes, fare);
    }

    /** The fare in a record's value. */
    static double fare(String text) {
        return Double.parseDouble(text.substring(text.lastIndexOf(',') + 1));
    }
}
