package io.leeway.benchmarks.approx;

import io.leeway.approx.internal.wire.RecordData;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * One hour of taxi trips, the same whenever it is asked for, so that the truth is known: how far trips go, which rises in
 * the course of the hour as it does towards a rush, and in which of 60 zones they begin, some far more often than others.
 */
final class Trips {

    static final int ZONES = 60;
    static final int TOP = 15;

    static final long HOUR = 3_600_000;
    static final long MIDNIGHT = 1_767_225_600_000L;
    private static final double DRIFT = 0.2;

    private Trips() {}

    /** How far the trip went whose record has this value. */
    static double miles(String value) {
        return Double.parseDouble(Summary.field(value, "distance"));
    }

    /** What a sample tells, or all trips. */
    static final class Summary {
        private long trips;
        private double distance;
        private final long[] zones = new long[ZONES];

        void add(byte[] value) {
            String text = new String(value, StandardCharsets.US_ASCII);
            add(Double.parseDouble(field(text, "distance")), Integer.parseInt(field(text, "zone")));
        }

        private void add(double miles, int zone) {
            trips++;
            distance += miles;
            zones[zone]++;
        }

        private static String field(String text, String name) {
            int at = text.indexOf(name) + name.length() + 2;
            return text.substring(at, text.indexOf(',', at));
        }

        long trips() {
            return trips;
        }

        double mean() {
            return distance / trips;
        }

        /** The zones with the most trips. */
        List<Integer> top() {
            return IntStream.range(0, ZONES)
                    .boxed()
                    .sorted(Comparator.comparingLong((Integer zone) -> -zones[zone]))
                    .limit(TOP)
                    .toList();
        }

        @Override
        public String toString() {
            return trips + " " + mean() + " " + top().toString().replaceAll("[\\[\\] ]", "");
        }
    }

    /** The records of a topic. */
    static List<RecordData> records(String topic, int count) {
        Random random = new Random(topic.hashCode());
        double[] shares = new double[ZONES];
        double sum = 0;
        for (int zone = 0; zone < ZONES; zone++) {
            sum += 1.0 / (zone + 4);
            shares[zone] = sum;
        }
        List<RecordData> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int found = Arrays.binarySearch(shares, random.nextDouble() * sum);
            int zone = Math.min(ZONES - 1, found < 0 ? -found - 1 : found);
            double drift = 1 - DRIFT / 2 + DRIFT * i / count;
            double miles = drift * Math.exp(0.7 + 0.6 * random.nextGaussian());
            String text = String.format(
                    Locale.ROOT,
                    "{\"vendor\":%d,\"pickup\":%d,\"dropoff\":%d,\"passengers\":%d,\"distance\":%.3f,\"zone\":%d,\"to\":%d,"
                            + "\"payment\":%d,\"fare\":%.2f,\"tolls\":%.2f,\"tip\":%.2f}",
                    1 + random.nextInt(2),
                    MIDNIGHT + i * 3_600_000L / count,
                    MIDNIGHT + i * 3_600_000L / count + (long) (miles * 240_000),
                    1 + random.nextInt(4),
                    miles,
                    zone,
                    random.nextInt(ZONES),
                    1 + random.nextInt(3),
                    3.5 + 2.6 * miles,
                    random.nextInt(8) == 0 ? 5.76 : 0,
                    random.nextInt(3) * 0.2 * miles);
            records.add(RecordData.ofValue(
                    topic, 0, MIDNIGHT + i * 3_600_000L / count, text.getBytes(StandardCharsets.US_ASCII)));
        }
        return records;
    }

    /** What a record's value takes on average. */
    static long bytes() {
        long bytes = 0;
        for (RecordData record : records("size", 1_000)) {
            byte[] value = record.value();
            bytes += value == null ? 0 : value.length;
        }
        return bytes / 1_000;
    }

    static Summary truth(List<RecordData> records) {
        Summary summary = new Summary();
        for (RecordData record : records) {
            byte[] value = record.value();
            if (value != null) {
                summary.add(value);
            }
        }
        return summary;
    }
}
