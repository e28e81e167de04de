package io.leeway.hindex.internal.read;

import io.leeway.hindex.internal.query.ReadOrder;
import io.leeway.hindex.internal.query.ScanRange;
import java.util.List;

/**
 * What is asked of an index.
 *
 * @param ranges where its entries are, in the order of the table
 * @param order in which order they come
 * @param asOf versions with larger timestamps are not seen
 * @param versions how many of a row's newest versions count
 * @param fetch what comes with a row
 */
public record Lookup(List<ScanRange> ranges, ReadOrder order, long asOf, int versions, Fetch fetch) {

    /** Takes a copy. */
    public Lookup {
        ranges = List.copyOf(ranges);
    }

    /** Whether the newest versions are asked for. */
    public boolean isOfNow() {
        return asOf == Long.MAX_VALUE;
    }
}
