package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexState;
import io.leeway.hindex.Progress;
import io.leeway.hindex.internal.guard.Guard;
import io.leeway.hindex.internal.plan.IndexPlan;
import io.leeway.hindex.internal.upkeep.UpkeepClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/*
 * Model: the regions write the entries of their rows, each row under its lock, see RegionUpkeep; this asks them to, range
 * after range, and notes how far it is. A region answers only once it keeps the index itself, so every write is either
 * before the region was opened with the index, and is seen by the build, or after it, and writes its entry itself.
 *
 * Whoever goes on after a crash repeats at most what was not noted; entries that are written twice are one. Two that build
 * at a time do no harm but twice the work: a claim keeps the second one looking on.
 */
/**
 * Adds the entries of what was in the table before the index. Run by the master in the background, or by an operator's
 * command, and by both at once where both want to. For one thread.
 */
final class IndexBuild {

    /** A claim is renewed with each step and each attempt; so long after the last one another may take over. */
    private static final Duration CLAIMED = Duration.ofSeconds(30);
    /** For one region to be opened with the index. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** Between two looks at what another builds. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Connection connection;
    private final TableName base;
    private final String name;
    private final IndexCatalog catalog;
    private final BuildLog log;
    private final Consumer<Progress> progress;
    private final Throttle throttle;
    /** For this one attempt: the same process may build twice at a time, and then only one of the two shall. */
    private final String owner = UUID.randomUUID().toString();

    private final List<BuildLog.Part> parts = new ArrayList<>();

    /** What a build came to. */
    enum Outcome {
        /** Everything is there. */
        COMPLETE,
        /** Somebody paused, disabled or dropped the index. */
        STOPPED
    }

    IndexBuild(
            Connection connection, TableName base, IndexPlan index, double rowsPerSecond, Consumer<Progress> progress) {
        this.connection = connection;
        this.base = base;
        this.name = index.name();
        this.catalog = new IndexCatalog(connection);
        this.log = new BuildLog(connection, index);
        this.throttle = new Throttle(rowsPerSecond);
        this.progress = progress;
    }

    /**
     * Begins, or goes on with what another began.
     *
     * <p>Who does not get the claim looks on, reports the other's progress, and takes over if that one is not heard of
     * any more.
     */
    Outcome run() throws IOException {
        while (!claim()) {
            if (log.isComplete()) {
                return activate();
            }
            if (!isWanted()) {
                return Outcome.STOPPED;
            }
            parts.clear();
            parts.addAll(log.parts());
            report();
            Waits.pause(LOOK);
        }
        try {
            return log.isComplete() ? activate() : build();
        } finally {
            // A claim that stays ends by itself.
            Guard.attempt("release of the build", () -> log.release(owner));
        }
    }

    private boolean claim() throws IOException {
        long now = System.currentTimeMillis();
        return log.claim(owner, now, now + CLAIMED.toMillis());
    }

    /** Only from building: an index that was paused or disabled in this moment stays so, complete as it is. */
    private Outcome activate() throws IOException {
        catalog.change(
                base,
                name,
                was -> was.state() == IndexState.BUILDING
                        ? was.toBuilder().state(IndexState.ACTIVE).build()
                        : was);
        return Outcome.COMPLETE;
    }

    /** Asked of the table before each step: that is how a pause, or a drop, stops a build, whoever does it. */
    private boolean isWanted() throws IOException {
        return catalog.index(base, name).definition().state() == IndexState.BUILDING;
    }

    /**
     * Goes through the parts. They are written down before the first is begun: had the table other regions when the
     * build goes on after a crash, nobody could say any more which rows are done.
     */
    private Outcome build() throws IOException {
        parts.clear();
        byte[] begun = log.begun();
        byte[] build = begun == null ? owner.getBytes(StandardCharsets.US_ASCII) : begun;
        if (begun == null) {
            parts.addAll(regions());
            log.begin(build, parts);
        } else {
            parts.addAll(log.parts());
        }
        report();
        for (int i = 0; i < parts.size(); i++) {
            while (!parts.get(i).isDone()) {
                if (!isWanted()) {
                    return Outcome.STOPPED;
                }
                if (!claim()) {
                    throw new IOException("another build of " + name
                            + " took over, since this one had not been heard of for " + CLAIMED);
                }
                long before = parts.get(i).rows();
                step(build, i);
                report();
                throttle.done(parts.get(i).rows() - before);
            }
        }
        log.complete(build);
        return activate();
    }

    private List<BuildLog.Part> regions() throws IOException {
        List<byte[]> starts = Keyspace.of(connection, base).starts();
        var regions = new ArrayList<BuildLog.Part>();
        for (int i = 0; i < starts.size(); i++) {
            regions.add(
                    BuildLog.Part.untouched(starts.get(i), i + 1 < starts.size() ? starts.get(i + 1) : new byte[0]));
        }
        return regions;
    }

    /** What the region has done is noted after it: a crash in between repeats it. */
    private void step(byte[] build, int at) throws IOException {
        BuildLog.Part part = parts.get(at);
        UpkeepClient.Step step = ask(part, throttle.portion());
        var further = new BuildLog.Part(
                part.start(),
                part.stop(),
                step.next(),
                step.isEnd(),
                part.rows() + step.rows(),
                part.entries() + step.entries());
        parts.set(at, further);
        log.save(build, further);
    }

    /**
     * A region that was not opened with the index yet will be soon.
     *
     * <p>The claim is renewed while it is waited for.
     */
    private UpkeepClient.Step ask(BuildLog.Part part, int rows) throws IOException {
        var client = new UpkeepClient(connection, base);
        var answer = new Object() {
            Optional<UpkeepClient.Step> step = Optional.empty();
        };
        boolean answered = Waits.until(
                () -> {
                    claim();
                    answer.step = client.build(name, part.next(), part.stop(), rows);
                    return answer.step.isPresent();
                },
                PATIENCE);
        if (!answered) {
            throw new IOException("a region of " + base + " was not opened with the index " + name + " within "
                    + PATIENCE + "; look for regions in transition, then build again");
        }
        return answer.step.orElseThrow();
    }

    /**
     * Each part counts as much as any other, and within it keys as evenly spread: nobody knows how many rows are to
     * come.
     */
    private void report() {
        long rows = 0;
        long entries = 0;
        double share = 0;
        for (BuildLog.Part part : parts) {
            rows += part.rows();
            entries += part.entries();
            share += (part.isDone() ? 1 : Keyspace.share(part.start(), part.stop(), part.next())) / parts.size();
        }
        progress.accept(new Progress(rows, entries, share));
    }
}
