package io.leeway.approx.estimate;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.WindowReport;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.datasketches.common.ArrayOfStringsSerDe;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.kll.KllDoublesSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Sketch;
import org.apache.datasketches.theta.Union;
import org.apache.datasketches.theta.UpdateSketch;
import org.jspecify.annotations.Nullable;

/**
 * What a sample cannot tell, of <em>all</em> records of a window, sampled or not: the producer's side keeps small summaries
 * (Apache DataSketches) and sends them reliably with the report. So quantiles of values, the number of distinct keys and
 * the most frequent keys are right within the sketches' bounds whatever the network loses.
 *
 * <p>Sketches of several reports, producers or windows merge. Not thread-safe.
 */
public final class WindowSketches {

    /** Kilobytes: at most 16 for distinct keys, 6 for quantiles, and the names of 192 keys. */
    private static final int DISTINCT_ENTRIES = 2_048;

    private static final int HEAVY_ENTRIES = 256;
    /** A key that is longer counts as distinct, but cannot be among the most frequent: reports must stay small. */
    private static final int LONGEST_NAME = 256;

    /** Two standard errors, as the sketch states its bounds. */
    private static final double TWO_SIGMA = 0.954;

    private static final ArrayOfStringsSerDe NAMES = new ArrayOfStringsSerDe();

    /**
     * A frequent key.
     *
     * @param key the key, as text
     * @param count about how many records have it
     * @param low at least so many have
     * @param high at most so many have
     */
    public record Heavy(String key, long count, long low, long high) {}

    private final KllDoublesSketch values;
    private final Union distinct;
    private final ItemsSketch<String> heavy;
    /** Updates go here: a union takes whole sketches faster than single keys. */
    private @Nullable UpdateSketch fresh;

    /**
     * Of no records.
     *
     * @throws ApproxException if DataSketches does not run on this Java, see {@link #whyNotHere}
     */
    public WindowSketches() {
        Optional<String> fault = whyNotHere();
        if (fault.isPresent()) {
            throw new ApproxException(ApproxError.REFUSED, fault.get());
        }
        values = KllDoublesSketch.newHeapInstance();
        distinct = SetOperation.builder().setNominalEntries(DISTINCT_ENTRIES).buildUnion();
        heavy = new ItemsSketch<>(HEAVY_ENTRIES);
    }

    /**
     * Why there are no sketches in this process; nothing if there are. DataSketches keeps a list of the versions of Java on
     * which it starts (its line for Java 17: 8, 11, 17 and 21) and refuses in a static initializer, which would come up from
     * the path of the records: so it is asked where options are read.
     */
    public static Optional<String> whyNotHere() {
        return Host.FAULT;
    }

    /** Asked once in a process. */
    private static final class Host {

        private static final Optional<String> FAULT = fault();

        private static Optional<String> fault() {
            try {
                Memory.wrap(new byte[Long.BYTES]);
                return Optional.empty();
            } catch (LinkageError e) {
                return Optional.of("Sketches are made by Apache DataSketches, which does not start on Java "
                        + Runtime.version().feature()
                        + "; use Java 17 or 21 where they are made or read, or approx.sketches=off.");
            }
        }
    }

    /**
     * Of all records that these reports tell of.
     *
     * @throws ApproxException if one of them has no sketches ({@code approx.sketches=on})
     */
    public static WindowSketches of(Collection<WindowReport> reports) {
        WindowSketches all = new WindowSketches();
        for (WindowReport report : reports) {
            if (report.sketches().isEmpty() && report.records() > 0) {
                throw new ApproxException(
                        ApproxError.REFUSED,
                        "The report of " + report.topic() + " from " + report.from()
                                + " has no sketches: set approx.sketches=on for the topic.");
            }
            if (!report.sketches().isEmpty()) {
                all.merge(Base64.getDecoder().decode(report.sketches()));
            }
        }
        return all;
    }

    /** Takes a record in. */
    public void update(byte @Nullable [] key, double value) {
        if (!Double.isNaN(value)) {
            values.update(value);
        }
        if (key == null || key.length == 0) {
            return;
        }
        if (fresh == null) {
            fresh = UpdateSketch.builder().setNominalEntries(DISTINCT_ENTRIES).build();
        }
        fresh.update(key);
        if (key.length <= LONGEST_NAME) {
            heavy.update(new String(key, StandardCharsets.UTF_8));
        }
    }

    /**
     * Takes in what {@link #toBytes} gave elsewhere.
     *
     * @throws IllegalArgumentException if it is nothing of the kind
     */
    public void merge(byte[] bytes) {
        try {
            ByteBuffer in = ByteBuffer.wrap(bytes);
            byte[] ofValues = part(in);
            byte[] ofKeys = part(in);
            byte[] ofHeavy = part(in);
            values.merge(KllDoublesSketch.heapify(Memory.wrap(ofValues)));
            distinct.union(Sketch.wrap(Memory.wrap(ofKeys)));
            heavy.merge(ItemsSketch.getInstance(Memory.wrap(ofHeavy), NAMES));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("not sketches of a window", e);
        }
    }

    private static byte[] part(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** For {@link #merge}. */
    public byte[] toBytes() {
        byte[] ofValues = values.toByteArray();
        byte[] ofKeys = keys().toByteArray();
        byte[] ofHeavy = heavy.toByteArray(NAMES);
        ByteBuffer out = ByteBuffer.allocate(12 + ofValues.length + ofKeys.length + ofHeavy.length);
        for (byte[] each : List.of(ofValues, ofKeys, ofHeavy)) {
            out.putInt(each.length).put(each);
        }
        return out.array();
    }

    private org.apache.datasketches.theta.CompactSketch keys() {
        if (fresh != null) {
            distinct.union(fresh);
            fresh = null;
        }
        return distinct.getResult();
    }

    /**
     * A quantile of the values of all records, with the bounds of the sketch (99 %).
     *
     * @param q from 0, the least, to 1, the greatest; both are exact
     * @throws ApproxException if no record had a value
     */
    public Estimate quantile(double q) {
        if (!(q >= 0 && q <= 1)) {
            throw new IllegalArgumentException("a part from 0 to 1, not " + q);
        }
        if (values.isEmpty()) {
            throw new ApproxException(ApproxError.REFUSED, "No record had a value, so there is no quantile.");
        }
        boolean end = q == 0 || q == 1;
        double value = q == 0 ? values.getMinItem() : q == 1 ? values.getMaxItem() : values.getQuantile(q);
        return new Estimate(
                value,
                end ? value : values.getQuantileLowerBound(q),
                end ? value : values.getQuantileUpperBound(q),
                end ? 1 : 0.99,
                values.getN(),
                values.getN(),
                "KLL sketch",
                List.of());
    }

    /** How many different keys all records have together, with the bounds of the sketch (95 %); exact while they are few. */
    public Estimate distinctKeys() {
        Sketch keys = keys();
        return new Estimate(
                keys.getEstimate(),
                keys.getLowerBound(2),
                keys.getUpperBound(2),
                keys.isEstimationMode() ? TWO_SIGMA : 1,
                Math.round(keys.getEstimate()),
                keys.getRetainedEntries(true),
                "Theta sketch",
                List.of());
    }

    /**
     * The most frequent keys of all records, most frequent first. Each that occurs more often than the sketch's error is
     * among them; some that do not may be too, which their bounds show.
     *
     * @param most how many at most
     */
    public List<Heavy> frequentKeys(int most) {
        return Arrays.stream(heavy.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES))
                .limit(most)
                .map(row -> new Heavy(row.getItem(), row.getEstimate(), row.getLowerBound(), row.getUpperBound()))
                .toList();
    }
}
