package io.leeway.approx.internal.window;

import io.leeway.approx.TopicRule;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.estimate.WindowSketches;
import io.leeway.approx.internal.wire.RecordData;
import io.leeway.approx.internal.wire.Sums;
import io.leeway.approx.internal.wire.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The open windows of one topic, by the timestamps of records; each group of a window is one job.
 *
 * <p>A record that comes after its window ended makes a further job of the same window and group. Jobs of one window are
 * strata of it: their totals add up, and so do their reports.
 *
 * <p>Windows by count are of one producer and group: each is one job, over when it has its records, or when none has come
 * for the time of a window.
 */
public final class TopicWindows {

    /** Windows of one topic that are open at once; beyond it the oldest ends. */
    private static final int MOST_OPEN = 64;

    private static final int MOST_GROUPS = 1_024;

    /** One group of one window: a job of the transport. */
    public static final class Job {
        private final int id;
        private final Window window;
        private final GroupSpec spec;
        private long count;
        private Sums sums = Sums.NONE;
        private Pairs pairs = Pairs.NONE;
        private long lastRecordAt;
        private final @Nullable WindowSketches sketches;

        private Job(int id, Window window, GroupSpec spec, @Nullable WindowSketches sketches) {
            this.sketches = sketches;
            this.id = id;
            this.window = window;
            this.spec = spec;
        }

        /** Its number. */
        public int id() {
            return id;
        }

        /** What it is to the application. */
        public Window window() {
            return window;
        }

        /** Its only group. */
        public GroupSpec spec() {
            return spec;
        }

        /** The totals of its values. */
        public Sums sums() {
            return sums;
        }

        /** Sketches of its records, for the report; no bytes if there are none. */
        public byte[] sketches() {
            return sketches == null ? new byte[0] : sketches.toBytes();
        }

        /** How many records it has. */
        public long count() {
            return count;
        }
    }

    private final String topic;
    private final ValueReader values;
    private final ValueReader second;
    private final Grouping grouping;
    private final MsrLoop loop;
    private final boolean sketched;
    private final long length;
    private final long records;
    private final long grace;
    private final List<Job> full = new ArrayList<>();
    private final TreeMap<Long, Map<String, Job>> open = new TreeMap<>();
    private final Set<String> groups = new HashSet<>();
    private long newest = Long.MIN_VALUE;

    /** No windows yet. */
    public TopicWindows(String topic, TopicRule rule, long graceMillis) {
        this.topic = topic;
        values = ValueReader.of(rule.value());
        second = ValueReader.of(rule.per());
        grouping = Grouping.of(rule.groups());
        loop = new MsrLoop(rule);
        sketched = rule.sketches();
        length = rule.window().toMillis();
        records = rule.windowRecords();
        grace = graceMillis;
    }

    /**
     * The job of a record; it may be new.
     *
     * @param nextJob the number of a new job
     * @param millis the time
     * @param opened is given a new job before it is used
     */
    public Job place(RecordData record, int nextJob, long millis, Consumer<Job> opened) {
        String group = known(grouping.of(record));
        boolean counted = records > 0;
        long from = counted ? 0 : Math.floorDiv(record.timestamp(), length) * length;
        Map<String, Job> jobs = open.computeIfAbsent(from, unused -> new LinkedHashMap<>());
        Job job = jobs.get(group);
        if (job == null) {
            job = new Job(
                    nextJob,
                    counted
                            ? new Window(topic, record.timestamp(), record.timestamp() + 1, List.of(group))
                            : new Window(topic, from, from + length, List.of(group)),
                    spec(group, from),
                    sketched ? new WindowSketches() : null);
            jobs.put(group, job);
            opened.accept(job);
        }
        // A clock that is ahead must not end the windows of those that are not; its own end when nothing comes any
        // more.
        newest = Math.max(newest, Math.min(record.timestamp(), millis + grace));
        job.lastRecordAt = millis;
        return job;
    }

    /** Groups are named by data: there must be an end to them. */
    private String known(String group) {
        return groups.contains(group) || groups.size() < MOST_GROUPS && groups.add(group) ? group : "other";
    }

    private GroupSpec spec(String group, long from) {
        long expected = records > 0 ? records : loop.expected(group);
        return GroupSpec.open(0, loop.msr(group, before(from, group)), Math.min(Integer.MAX_VALUE, expected));
    }

    /** Of the windows before that are still open: how many records the largest of this group has so far. */
    private long before(long from, String group) {
        long most = 0;
        for (Map<String, Job> earlier : open.headMap(from).values()) {
            Job job = earlier.get(group);
            most = Math.max(most, job == null ? 0 : job.count);
        }
        return most;
    }

    /** A record was taken into its job. */
    public void taken(Job job, RecordData record) {
        job.count++;
        OptionalDouble value = values.read(record);
        if (value.isPresent()) {
            job.sums = job.sums.plus(value.getAsDouble());
            OptionalDouble per = second.read(record);
            if (per.isPresent()) {
                job.pairs = job.pairs.plus(value.getAsDouble(), per.getAsDouble());
            }
        }
        if (job.sketches != null) {
            job.sketches.update(record.key(), value.orElse(Double.NaN));
        }
        if (records > 0 && job.count == records) {
            open.getOrDefault(0L, new HashMap<>()).values().remove(job);
            full.add(job);
        }
    }

    /** Takes out the jobs whose windows are over: later records have come, or none for the time of a window. */
    public List<Job> takeEnded(long millis) {
        List<Job> ended = takeFull();
        Iterator<Map.Entry<Long, Map<String, Job>>> all = open.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Long, Map<String, Job>> entry = all.next();
            boolean passed = records == 0 && newest >= entry.getKey() + length + grace;
            boolean tooMany = open.size() > MOST_OPEN;
            boolean idle =
                    entry.getValue().values().stream().allMatch(job -> millis - job.lastRecordAt >= length + grace);
            if (passed || tooMany || idle) {
                ended.addAll(entry.getValue().values());
                all.remove();
            }
        }
        ended.forEach(this::learn);
        return ended;
    }

    private List<Job> takeFull() {
        List<Job> taken = new ArrayList<>(full);
        full.clear();
        return taken;
    }

    /** Takes out all jobs. */
    public List<Job> takeAll() {
        List<Job> all = takeFull();
        open.values().forEach(jobs -> all.addAll(jobs.values()));
        open.clear();
        return all;
    }

    private void learn(Job job) {
        loop.learn(job.window.groups().get(0), job.count, job.sums, job.pairs);
    }
}
