package io.leeway.hindex.internal.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/*
 * Model: who has sent a removal in vain writes its entry again only when this region refuses the removal, see UnsettledRemovals.
 * But a removal that was in time may have passed that question and stand still in its handler. So removals are registered before
 * the question, until their batch has ended, and an entry that is just being removed is not written. Whichever comes first: a put
 * sees the removal, or the removal comes to the question after the put, and is too late for it.
 *
 * HBase gives mutations of one row their order only later; their locks do not keep them apart.
 */
/**
 * Removals that handlers of one region of an index have in hand. The endpoint of the index's region has one and calls
 * it before and after each batch. Thread-safe.
 */
public final class RunningRemovals {

    /** An attribute, as it has to go with each removal through HBase's client, which may put several into one call. */
    private static final String UNTIL = "hindex.until";

    private final LongSupplier clock;

    /** How often each is at work: a call may be sent twice. */
    private final ConcurrentMap<Place, Integer> running = new ConcurrentHashMap<>();

    /** What the handler's batch has registered: the hook behind it is not told which mutations it had. */
    @SuppressWarnings("ThreadLocalUsage") // one for each region
    private final ThreadLocal<@Nullable List<Place>> own = new ThreadLocal<>();

    /** By the clock of the server. */
    public RunningRemovals(LongSupplier clock) {
        this.clock = clock;
    }

    private record Place(ByteBuffer key, ByteBuffer qualifier, long timestamp) {}

    /** Until when it may be carried out. */
    static void limit(Delete removal, long until) {
        removal.setAttribute(UNTIL, Bytes.toBytes(until));
    }

    /**
     * Before a batch is written; {@link #after} must follow.
     *
     * <p>All removals of the batch are registered first, and the clock is asked last: between the two a put may come
     * and see them. Where it is too late all of them are refused, and their sender has given up all of them, as it
     * sends them in one call.
     *
     * @throws DoNotRetryIOException if it has a removal that comes too late
     * @throws RegionTooBusyException if it has an entry that is just being removed
     */
    public void before(MiniBatchOperationInProgress<Mutation> batch) throws IOException {
        long until = Long.MAX_VALUE;
        for (int i = 0; i < batch.size(); i++) {
            Mutation mutation = batch.getOperation(i);
            byte[] limit = mutation instanceof Delete ? mutation.getAttribute(UNTIL) : null;
            if (limit != null) {
                until = Math.min(until, Bytes.toLong(limit));
                register(places(mutation));
                // Nearly always empty: a put costs one look more.
            } else if (mutation instanceof Put && !running.isEmpty()) {
                requireNotRunning(places(mutation));
            }
        }
        if (clock.getAsLong() > until) {
            throw new DoNotRetryIOException(
                    "the removal of an index entry comes too late: its sender has given it up, and may"
                            + " have written the entry again; if that happens often, the clocks of the servers differ by more than"
                            + " hindex.clock.skew");
        }
    }

    private static List<Place> places(Mutation mutation) {
        var places = new ArrayList<Place>();
        ByteBuffer key = ByteBuffer.wrap(mutation.getRow());
        for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
            for (Cell cell : cells) {
                places.add(new Place(key, ByteBuffer.wrap(CellUtil.cloneQualifier(cell)), cell.getTimestamp()));
            }
        }
        return places;
    }

    private void register(List<Place> places) {
        List<Place> mine = own.get();
        if (mine == null) {
            mine = new ArrayList<>();
            own.set(mine);
        }
        mine.addAll(places);
        places.forEach(place -> running.merge(place, 1, Integer::sum));
    }

    private void requireNotRunning(List<Place> places) throws RegionTooBusyException {
        if (places.stream().anyMatch(running::containsKey)) {
            throw new RegionTooBusyException("an earlier removal of an index entry is still at work; try again");
        }
    }

    /**
     * After the batch, whatever came of it; may come more than once.
     *
     * <p>HBase has several hooks that say so, and the later ones find nothing.
     */
    public void after() {
        List<Place> mine = own.get();
        if (mine != null) {
            own.remove();
            mine.forEach(place -> running.computeIfPresent(place, (same, times) -> times == 1 ? null : times - 1));
        }
    }
}
