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
/** Adds the entries of what was in the table before the index. For one thread. */
final class IndexBuild {

    private static final Duration CLAIMED = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Connection connection;
    private final TableName base;
    private final String name;
    private final IndexCatalog catalog;
    private final BuildLog log;
    private final Consumer<Progress> progress;
    private final Throttle throttle;
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

    /** Begins, or goes on with what another began. */
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

    private Outcome activate() throws IOException {
        catalog.change(
                base,
                name,
                was -> was.state() == IndexState.BUILDING
                        ? was.toBuilder().state(IndexState.ACTIVE).build()
                        : was);
        return Outcome.COMPLETE;
    }

    private boolean isWanted() throws IOException {
        return catalog.index(base, name).definition().state() == IndexState.BUILDING;
    }

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

    /** A region that was not opened with the index yet will be soon. */
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
