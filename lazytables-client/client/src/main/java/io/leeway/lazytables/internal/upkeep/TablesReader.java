package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.server.ClockTables;
import io.leeway.lazytables.internal.wire.WireException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Reads what the servers of a run stored of a clock, also while they go on. Not for several threads at once. */
public final class TablesReader implements AutoCloseable {

    private final List<String> places;
    private final List<Snapshots> opened = new ArrayList<>();

    /**
     * Of the servers that store in these places, in any order.
     *
     * @throws LazyTablesException if one cannot be read
     */
    public TablesReader(List<String> places) {
        this.places = List.copyOf(places);
        try {
            places.forEach(place -> opened.add(Snapshots.openToRead(place)));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** The clocks of which all servers have stored their tables. */
    public NavigableSet<Integer> clocks() {
        NavigableSet<Integer> common = new TreeSet<>();
        for (int i = 0; i < opened.size(); i++) {
            NavigableSet<Integer> stored = clocks(opened.get(i));
            if (i == 0) {
                common = stored;
            } else {
                // Servers store a clock each in its own time, and some may miss one: only what all have is a state of
                // the run.
                common.retainAll(stored);
            }
        }
        return common;
    }

    private static NavigableSet<Integer> clocks(Snapshots place) {
        try {
            return place.clocks();
        } catch (IOException e) {
            throw Snapshots.fault("What is stored in " + place + " cannot be read: " + Snapshots.text(e), e);
        }
    }

    /**
     * The tables of a clock.
     *
     * @throws LazyTablesException if a server has not stored them, or not any more, or they cannot be used
     */
    public ClockTables read(int clock, CombineOps ops) {
        var stored = new ArrayList<byte[]>();
        for (Snapshots place : opened) {
            try {
                // It may have been deleted since clocks() was asked: servers go on meanwhile, and may keep the last
                // ones only.
                stored.add(place.tables(clock));
            } catch (IOException e) {
                throw Snapshots.fault(
                        "The tables of clock " + clock + " cannot be read from " + place + ": " + Snapshots.text(e)
                                + ". Of these clocks all servers have some: " + clocks(),
                        e);
            }
        }
        try {
            // Whether they belong together is in the bytes, whatever directories were named.
            return ClockTables.of(clock, stored, ops);
        } catch (WireException e) {
            throw Snapshots.fault(
                    "The tables of clock " + clock + " in " + places + " cannot be used: " + e.reason(), e);
        }
    }

    /**
     * The tables of the newest clock that can be read: of those that servers store meanwhile, and of damaged ones,
     * older ones take the place.
     *
     * @throws LazyTablesException if there is none
     */
    public ClockTables newest(CombineOps ops) {
        NavigableSet<Integer> clocks = clocks();
        if (clocks.isEmpty()) {
            throw Snapshots.fault(
                    "There is no clock of which all servers have stored their tables in " + places
                            + ": they do so with lazytables.tables.clocks",
                    null);
        }
        for (int clock : clocks.descendingSet()) {
            try {
                return read(clock, ops);
            } catch (LazyTablesException e) {
                // No older one is left that could take its place.
                if (clock == clocks.first()) {
                    throw e;
                }
            }
        }
        throw new IllegalStateException("there was a clock");
    }

    @Override
    public void close() {
        opened.forEach(Snapshots::close);
    }
}
