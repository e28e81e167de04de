package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.model.Catalog;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision of the coordinator: what becomes of the state, as one record of its log.
 *
 * @param catalog new definitions, or null
 * @param authority number of the last SCU that is in the authority now, or 0
 * @param authorityTime of its last commit, or 0
 * @param sealed new sealed SCUs
 * @param droppedFlights numbers of the first SCUs of flights that are no more
 * @param flights new ones
 * @param droppedParts files that do not belong to the authority any more
 * @param parts files that belong to it now, by the number of the view
 * @param nextFile the number that the next file of a run gets, at least
 */
public record Edit(
        @Nullable Catalog catalog,
        long authority,
        long authorityTime,
        List<Sealed> sealed,
        List<Long> droppedFlights,
        List<Flight> flights,
        List<String> droppedParts,
        Map<Integer, List<RunInfo>> parts,
        long nextFile) {

    static Edit ofCatalog(Catalog catalog) {
        return new Edit(catalog, 0, 0, List.of(), List.of(), List.of(), List.of(), Map.of(), 0);
    }

    static Edit ofCatalog(
            Catalog catalog, List<String> droppedParts, Map<Integer, List<RunInfo>> parts, long nextFile) {
        return new Edit(catalog, 0, 0, List.of(), List.of(), List.of(), droppedParts, parts, nextFile);
    }

    static Edit ofSealed(Sealed scu) {
        return new Edit(null, 0, 0, List.of(scu), List.of(), List.of(), List.of(), Map.of(), 0);
    }

    static Edit ofFlight(List<Long> dropped, List<Flight> flights, long nextFile) {
        return new Edit(null, 0, 0, List.of(), dropped, flights, List.of(), Map.of(), nextFile);
    }

    /** Everything, as the first record of a new log. */
    static Edit ofAll(State state) {
        return new Edit(
                state.catalog(),
                state.authority(),
                state.authorityTime(),
                state.sealed(),
                List.of(),
                state.flights(),
                List.of(),
                state.parts(),
                state.nextFile());
    }

    boolean dropsFlight(long first) {
        return droppedFlights.contains(first);
    }
}
