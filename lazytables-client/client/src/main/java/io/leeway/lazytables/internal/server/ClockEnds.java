package io.leeway.lazytables.internal.server;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The tables as they were at the end of a clock, of one in so many: with exactly the updates of that clock and of those
 * before it, whatever was applied meanwhile. All servers of a run take the same clocks, so what they took is one state
 * of it.
 *
 * <p><b>Model.</b> The end of a clock comes when the last process completes it. Updates of later clocks may have been
 * applied by then. So before the first update that is past an end is applied, the end is <em>opened</em>: from then on
 * tables keep of each row that such an update changes what it was before, and apply to that, too, what processes that
 * are behind still do up to the end. What an end holds are these rows, and the others as they are.
 *
 * <p><b>Cost</b>: a comparison for each message, and one for each row while no process is past an end. Bounded: of the
 * rows at most {@link #MOST} copies are kept; ends that processes pass while so many are open are passed over, and so
 * are those that were passed before the server was restarted.
 */
final class ClockEnds {

    private static final Logger LOG = System.getLogger(ClockEnds.class.getName());
    private static final int MOST = 4;

    private final int every;
    private final Collection<ServerTable> tables;
    private final TablesSink sink;
    private final List<Integer> open = new ArrayList<>();
    /** Ends up to here are open, or cannot be had any more. */
    private int passed;

    /**
     * For a server's tables, now and later.
     *
     * @param every how many clocks are between two ends
     * @param touched the last clock of which updates were applied
     */
    ClockEnds(int every, int touched, Collection<ServerTable> tables, TablesSink sink) {
        this.every = every;
        passed = touched - 1;
        this.tables = tables;
        this.sink = sink;
    }

    /** Before an update of a clock is applied. */
    void before(int clock, int globalClock) {
        int last = lastUpTo(clock - 1);
        if (last <= passed || last <= globalClock) {
            return;
        }
        for (long end = lastUpTo(Math.max(passed, globalClock)) + (long) every;
                end <= last && open.size() < MOST;
                end += every) {
            open.add((int) end);
            for (ServerTable table : tables) {
                table.open((int) end);
            }
        }
        passed = last;
    }

    /** A table was made. */
    void made(ServerTable table) {
        open.forEach(table::open);
    }

    /**
     * The global clock goes from one to another. To be called before tables apply what they put off until then.
     *
     * @param named whether this server was told which run it is: tables without that could be those of any run, and are
     *     passed over
     * @param encode the tables as they were at the end of a clock
     */
    void reached(int before, int now, boolean named, IntFunction<byte[]> encode) {
        int end = lastUpTo(now);
        if (named && end > before && (end > passed || open.contains(end))) {
            take(end, encode);
        }
        if (!open.isEmpty() && open.get(0) <= now) {
            open.removeIf(each -> each <= now);
            tables.forEach(table -> table.closeUpTo(now));
        }
    }

    /** Nothing depends on it: whatever fails, the server goes on. */
    private void take(int end, IntFunction<byte[]> encode) {
        try {
            if (sink.hasRoom()) {
                sink.take(end, encode.apply(end));
            } else {
                LOG.log(
                        Level.DEBUG,
                        "The tables of clock {0} are passed over: those of an earlier one are being stored",
                        end);
            }
        } catch (RuntimeException | Error e) {
            // Too large for an array, or for the memory.
            LOG.log(Level.WARNING, "The tables of clock " + end + " cannot be written", e);
        }
    }

    private int lastUpTo(int clock) {
        return clock / every * every;
    }
}
