package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.internal.model.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * All that the coordinator knows: which SCU is represented by what. Immutable; {@link Edit}s make a new one.
 *
 * <p>Invariants: sealed SCUs are those after {@code authority}, without gaps; flights are a part of these in order, without overlap; parts
 * of a view do not overlap and stand in the order of their keys.
 *
 * @param catalog definitions of tables
 * @param authority number of the last SCU that is in the authority
 * @param authorityTime of the last commit that is in the authority
 * @param sealed SCUs that are not in the authority
 * @param flights sorted ones of them
 * @param parts the authority: for each view's number its files
 * @param nextFile the number that the next file of a run gets, at least
 */
public record State(
        Catalog catalog,
        long authority,
        long authorityTime,
        List<Sealed> sealed,
        List<Flight> flights,
        Map<Integer, List<RunInfo>> parts,
        long nextFile) {

    /** Of a new directory. */
    public static final State EMPTY = new State(Catalog.EMPTY, 0, 0, List.of(), List.of(), Map.of(), 1);

    /** The state after an edit. */
    public State with(Edit edit) {
        long newAuthority = Math.max(authority, edit.authority());
        var scus = new ArrayList<>(sealed);
        scus.addAll(edit.sealed());
        scus.removeIf(scu -> scu.number() <= newAuthority);
        var runs = new ArrayList<>(flights);
        runs.removeIf(run -> run.last() <= newAuthority || edit.dropsFlight(run.first()));
        runs.addAll(edit.flights());
        runs.sort((a, b) -> Long.compare(a.first(), b.first()));
        return new State(
                edit.catalog() == null ? catalog : edit.catalog(),
                newAuthority,
                Math.max(authorityTime, edit.authorityTime()),
                List.copyOf(scus),
                List.copyOf(runs),
                newParts(edit),
                Math.max(nextFile, edit.nextFile()));
    }

    private Map<Integer, List<RunInfo>> newParts(Edit edit) {
        if (edit.droppedParts().isEmpty() && edit.parts().isEmpty()) {
            return parts;
        }
        var dropped = new HashSet<>(edit.droppedParts());
        var all = new TreeMap<Integer, List<RunInfo>>();
        parts.forEach((view, files) -> {
            var kept = new ArrayList<>(files);
            kept.removeIf(file -> dropped.contains(file.file()));
            all.put(view, kept);
        });
        edit.parts()
                .forEach((view, files) ->
                        all.computeIfAbsent(view, none -> new ArrayList<>()).addAll(files));
        all.values().forEach(files -> files.sort((a, b) -> Arrays.compareUnsigned(a.min(), b.min())));
        all.values().removeIf(List::isEmpty);
        return Map.copyOf(all);
    }

    /** The files of a view in the authority. */
    public List<RunInfo> partsOf(int view) {
        return parts.getOrDefault(view, List.of());
    }

    /** Number of the last SCU that was sealed. */
    public long lastSealed() {
        return sealed.isEmpty() ? authority : sealed.get(sealed.size() - 1).number();
    }

    /** Sealed SCUs that are not sorted, in order. */
    public List<Sealed> unsorted() {
        var open = new ArrayList<Sealed>();
        for (Sealed scu : sealed) {
            boolean isSorted = false;
            for (Flight flight : flights) {
                isSorted |= flight.first() <= scu.number() && scu.number() <= flight.last();
            }
            if (!isSorted) {
                open.add(scu);
            }
        }
        return open;
    }

    /** Names of all files that it needs. */
    public Set<String> files() {
        var names = new HashSet<String>();
        sealed.forEach(scu -> names.add(scu.file()));
        flights.forEach(flight -> flight.runs().values().forEach(run -> names.add(run.file())));
        parts.values().forEach(files -> files.forEach(file -> names.add(file.file())));
        return names;
    }
}
