package io.leeway.lazytables.apps;

import io.leeway.lazytables.Pace;
import io.leeway.lazytables.PaceBounds;
import io.leeway.lazytables.TableSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How an application is run.
 *
 * @param workers threads altogether
 * @param instances of LazyTables in this Java machine that the workers are spread over, as over processes
 * @param servers inside
 * @param slack clocks that a read may be behind; {@link TableSpec#ASYNC} waits for nobody; of an adaptive run, what it begins with
 * @param work data that a clock goes over; of an adaptive run, what it begins with
 * @param adaptive whether slack and work are chosen while it runs
 * @param passes over the data, at most
 * @param strict whether reads see nothing newer than they must
 * @param prefetch how rows are asked for before they are read
 * @param timeout of a read
 * @param delay that one worker after the other suffers, one each clock, or each pass of an adaptive run; for experiments
 * @param seed of everything that is random
 * @param place of this process among those that the instances are; null if all are in this Java machine
 */
public record RunSettings(
        int workers,
        int instances,
        int servers,
        int slack,
        WorkPerClock work,
        boolean adaptive,
        int passes,
        boolean strict,
        RowsAhead prefetch,
        Duration timeout,
        Duration delay,
        long seed,
        @Nullable Place place) {

    private static final int MOST_WORKERS = 1024;
    /**
     * Into so many blocks a pass of an adaptive run is divided at least: it chooses how many of them a clock goes over. With more, a clock
     * that goes over all of them reads and changes each row more often: topic models took a third more CPU time with eight.
     */
    private static final int BLOCKS = 2;

    private static final int MOST_ADAPTIVE_SLACK = 15;
    private static final int MOST_ADAPTIVE_PASSES = 4;
    private static final int MOST_FIRST_SLACK = 1 << 16;

    /** Checked. */
    public RunSettings {
        within("workers", workers, 1, MOST_WORKERS);
        within("instances", instances, 1, workers);
        within("servers", servers, 1, MOST_WORKERS);
        within("slack", slack, 0, Integer.MAX_VALUE);
        within("passes", passes, 1, 1_000_000);
        if (passes % work.passes() != 0) {
            throw new BadInputException(passes + " passes are no multiple of the " + work.passes() + " of a clock");
        }
        if (workers % instances != 0) {
            throw new BadInputException(workers + " workers cannot be spread evenly over " + instances + " instances");
        }
        if (timeout.isNegative() || timeout.isZero() || delay.isNegative()) {
            throw new BadInputException("a time limit must be above zero and a delay not below it");
        }
        if (place != null) {
            within("process", place.instance(), 0, instances - 1);
            if (strict && place.resume()) {
                throw new BadInputException("a strict run cannot be resumed: choose one of both");
            }
        }
        if (adaptive) {
            checkAdaptive(slack, strict, place);
        }
        if (strict && slack == TableSpec.ASYNC) {
            throw new BadInputException(
                    "reads that wait for nobody cannot be strict; choose a slack or leave strict out");
        }
    }

    private static void checkAdaptive(int slack, boolean strict, @Nullable Place place) {
        if (slack > MOST_FIRST_SLACK) {
            throw new BadInputException("an adaptive run cannot begin with slack "
                    + (slack == TableSpec.ASYNC ? "async" : slack) + "; choose one within 0 to " + MOST_FIRST_SLACK);
        }
        if (strict) {
            throw new BadInputException(
                    "an adaptive run goes by time, so that it cannot be strict: choose one of both");
        }
        if (place != null && place.resume()) {
            throw new BadInputException(
                    "an adaptive run cannot be resumed: who takes a place would not know what was chosen before");
        }
    }

    private static void within(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new BadInputException(what + " is " + value + ", not within " + least + " to " + most);
        }
    }

    /** One instance and one server, slack 0, a pass per clock, ten passes. */
    public static RunSettings of(int workers, long seed) {
        return new RunSettings(
                workers,
                1,
                1,
                0,
                WorkPerClock.ONE,
                false,
                10,
                false,
                RowsAhead.AGGRESSIVE,
                Duration.ofMinutes(5),
                Duration.ZERO,
                seed,
                null);
    }

    /** With the workers spread over so many instances, and so many servers. */
    public RunSettings spread(int overInstances, int overServers) {
        return new RunSettings(
                workers,
                overInstances,
                overServers,
                slack,
                work,
                adaptive,
                passes,
                strict,
                prefetch,
                timeout,
                delay,
                seed,
                place);
    }

    /** With this slack. */
    public RunSettings slack(int clocks) {
        return new RunSettings(
                workers, instances, servers, clocks, work, adaptive, passes, strict, prefetch, timeout, delay, seed,
                place);
    }

    /** With this work per clock, and as many passes. */
    public RunSettings work(WorkPerClock perClock, int most) {
        return new RunSettings(
                workers, instances, servers, slack, perClock, adaptive, most, strict, prefetch, timeout, delay, seed,
                place);
    }

    /** With slack and work per clock chosen while it runs, beginning with those that are set. */
    public RunSettings asAdaptive() {
        return new RunSettings(
                workers, instances, servers, slack, work, true, passes, strict, prefetch, timeout, delay, seed, place);
    }

    /** With reads that see nothing newer than they must. */
    public RunSettings asStrict() {
        return new RunSettings(
                workers, instances, servers, slack, work, adaptive, passes, true, prefetch, timeout, delay, seed,
                place);
    }

    /** With rows asked for ahead this way. */
    public RunSettings prefetch(RowsAhead how) {
        return new RunSettings(
                workers, instances, servers, slack, work, adaptive, passes, strict, how, timeout, delay, seed, place);
    }

    /** With these times: how long a read waits at most, and what one worker each clock loses. */
    public RunSettings times(Duration limit, Duration lost) {
        return new RunSettings(
                workers, instances, servers, slack, work, adaptive, passes, strict, prefetch, limit, lost, seed, place);
    }

    /** As one of several processes, on servers that are processes. */
    public RunSettings at(Place ofThisProcess) {
        return new RunSettings(
                workers,
                instances,
                servers,
                slack,
                work,
                adaptive,
                passes,
                strict,
                prefetch,
                timeout,
                delay,
                seed,
                ofThisProcess);
    }

    /** Whether a worker may go on where another one ended. */
    public boolean resumes() {
        return place != null && place.resume();
    }

    /** Into how many blocks a worker's data is divided; a clock goes over one or several. */
    public int blocks() {
        return adaptive ? work.blocks() * (int) Math.ceil((double) BLOCKS / work.blocks()) : work.blocks();
    }

    /** The slack of reads, and the blocks that a clock goes over; in an adaptive run those of the first clocks. */
    Pace pace() {
        return new Pace(slack, work.passes() * (blocks() / work.blocks()));
    }

    /** Between what an adaptive run chooses, in blocks. */
    PaceBounds paceBounds(boolean falls) {
        Pace first = pace();
        return new PaceBounds(
                first,
                Math.max(first.slack(), MOST_ADAPTIVE_SLACK),
                1,
                Math.max(first.work(), MOST_ADAPTIVE_PASSES * blocks()),
                blocks(),
                falls);
    }

    /** How far behind a read may be, in passes over the data. */
    public double staleness() {
        return work.inPasses() * (slack + 1.0);
    }

    /** The slack as people write it. */
    public String slackText() {
        return slack == TableSpec.ASYNC ? "async" : Integer.toString(slack);
    }
}
