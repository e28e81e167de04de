package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.approx.atp.AtpConfig.LossCount;
import io.leeway.approx.atp.AtpConfig.LossUnit;
import io.leeway.approx.atp.AtpConfig.RateLaw;
import io.leeway.approx.atp.AtpConfig.Selection;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PromiseTest {

    private static final int MOST_EVENTS = 2_000_000;
    private static final double[] RATES = {0, 0.05, 0.25, 0.5, 0.75, 0.9, 0.99, 1};

    @Test
    void keepsEveryPromiseWhateverTheNetworkDoes() {
        long base = Seeds.seed("promise");
        int schedules = Depth.of(2_000, 100_000);
        for (int i = 0; i < schedules; i++) {
            check(base + i);
        }
    }

    private static void check(long seed) {
        RandomGenerator random = new Random(seed);
        FakeLink.Weather weather = new FakeLink.Weather(
                random.nextDouble() * 0.6,
                random.nextDouble() * 0.4,
                random.nextDouble() * 0.2,
                20_000 + random.nextInt(200_000),
                random.nextInt(3) == 0 ? 0 : random.nextInt(300_000) + 1,
                1e7 + random.nextDouble() * 1e9);
        FakeLink link = new FakeLink(config(random), weather, random);
        link.slowApplication = random.nextBoolean();
        Map<String, Integer> offered = new HashMap<>();
        List<JobSpec> jobs = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int job = 1; job <= count; job++) {
            jobs.add(start(link, random, job, offered));
        }
        if (random.nextBoolean()) {
            // The clocks of two machines: days apart, and one faster than the other.
            link.skew = random.nextLong(-1_000_000_000_000_000L, 1_000_000_000_000_000L);
            link.pace = 0.8 + 0.45 * random.nextDouble();
        }
        assertThat(link.run(MOST_EVENTS)).as("seed %d ends", seed).isTrue();
        assertThat(link.faults).as("seed %d", seed).isEmpty();
        assertThat(link.finished).as("seed %d", seed).hasSize(jobs.size());
        for (JobSpec job : jobs) {
            checkJob(link, job, offered, "seed " + seed + ", " + job);
        }
        assertThat(link.released)
                .as("seed %d lets every message go", seed)
                .isEqualTo(offered.values().stream().mapToInt(Integer::intValue).sum());
        assertThat(link.sender.state().buffered()).isZero();
        assertThat(link.receiver.held()).as("seed %d", seed).isZero();
    }

    private static AtpConfig config(RandomGenerator random) {
        return AtpConfig.simulated(1.25e8, 1_000)
                .minEpoch(50_000)
                .initialRtt(100_000)
                .minLossDelay(100_000)
                .selection(random.nextBoolean() ? Selection.UNBIASED : Selection.ANY)
                .minimalRemainingFirst(random.nextBoolean())
                .fixedTarget(random.nextInt(4) == 0)
                .fixedPriority(random.nextInt(4) == 0)
                .hysteresis(random.nextBoolean())
                .lossCount(random.nextBoolean() ? LossCount.PRESUMED_LOST : LossCount.EVER_LOST)
                .lossUnit(random.nextBoolean() ? LossUnit.MESSAGE : LossUnit.PACKET)
                .rateLaw(List.of(RateLaw.ADDITIVE, RateLaw.BLEND, RateLaw.NONE).get(random.nextInt(3)))
                .targetCap(random.nextInt(4) == 0 ? 0.02 : 1)
                .window(1 << 10)
                .burst(1 + random.nextInt(8))
                .seed(random.nextLong());
    }

    private static JobSpec start(FakeLink link, RandomGenerator random, int id, Map<String, Integer> offered) {
        List<GroupSpec> groups = new ArrayList<>();
        List<Runnable> offers = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int group = 0; group < count; group++) {
            int messages = 1 + random.nextInt(60);
            boolean exact = random.nextBoolean();
            int expected = exact ? messages : random.nextInt(100);
            groups.add(new GroupSpec(group, RATES[random.nextInt(RATES.length)], expected, exact));
            offered.put(id + "/" + group, messages);
            int to = group;
            for (int i = 0; i < messages; i++) {
                long number = i;
                int size = random.nextInt(4) == 0 ? 1 + random.nextInt(6_000) : 1 + random.nextInt(900);
                offers.add(() -> link.sender.offer(id, to, size, number, link.now));
            }
        }
        JobSpec spec = new JobSpec(id, groups, Long.MAX_VALUE);
        link.sender.open(spec);
        long pause = random.nextInt(3) == 0 ? 0 : random.nextInt(20_000);
        for (int i = 0; i < offers.size(); i++) {
            link.in(i * pause, offers.get(i));
        }
        link.in(offers.size() * pause, () -> link.sender.end(id, link.now));
        return spec;
    }

    private static void checkJob(FakeLink link, JobSpec job, Map<String, Integer> offered, String what) {
        JobReport report = link.closed.get(job.id());
        assertThat(report).as(what).isNotNull();
        for (GroupSpec group : job.groups()) {
            int messages = offered.get(job.id() + "/" + group.id());
            List<Integer> got = link.delivered.getOrDefault(job.id() + "/" + group.id(), List.of());
            assertThat(got.size()).as(what).isGreaterThanOrEqualTo((int) GroupSpec.need(group.msr(), messages));
            assertThat(new HashSet<>(got)).as(what + " hands up once").hasSameSizeAs(got);
            if (group.msr() == 1) {
                assertThat(got).as(what + " keeps order").hasSize(messages).isSorted();
            }
            JobReport.Group told = report.groups().stream()
                    .filter(g -> g.group() == group.id())
                    .findAny()
                    .orElseThrow();
            assertThat(told.messages()).isEqualTo(messages);
            assertThat(told.delivered()).as(what + " reports the truth").isEqualTo(got.size());
            int missing = told.missing().stream()
                    .mapToInt(range -> range.last() - range.first() + 1)
                    .sum();
            assertThat(missing).as(what + " names what is missing").isEqualTo(messages - got.size());
            assertThat(report.kept()).isTrue();
        }
    }

    @Test
    void endsAtTheDeadlineWithATruthfulReportIfNothingArrives() {
        FakeLink link = new FakeLink(
                AtpConfig.simulated(1.25e8, 1_000),
                new FakeLink.Weather(1, 0, 0, 10_000, 0, 1e9),
                Seeds.random("dark"));
        link.sender.open(new JobSpec(1, List.of(GroupSpec.exactly(3, 0.5, 100)), 50_000_000));
        for (int i = 0; i < 100; i++) {
            link.sender.offer(1, 3, 500, (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(MOST_EVENTS)).isTrue();
        assertThat(link.now).isGreaterThanOrEqualTo(50_000_000);
        JobReport report = link.closed.get(1);
        assertThat(report.kept()).isFalse();
        assertThat(report.groups().get(0).delivered()).isZero();
        assertThat(report.groups().get(0).missing()).containsExactly(new JobReport.Range(0, 99));
        assertThat(link.sender.state().loss()).isEqualTo(1);
    }

    @Test
    void waitsForAReceiverWithoutRoomAndCountsItsDropsApart() {
        FakeLink link = new FakeLink(
                AtpConfig.simulated(1.25e8, 1_000),
                new FakeLink.Weather(0, 0, 0, 100_000, 0, 1e9),
                Seeds.random("slow"),
                4_000);
        link.slowApplication = true;
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 0.9, 500)));
        for (int i = 0; i < 500; i++) {
            link.sender.offer(1, 0, 900, (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(MOST_EVENTS)).isTrue();
        assertThat(link.closed.get(1).kept()).isTrue();
        assertThat(link.receiver.held()).isZero();
    }

    @Test
    void refusesWhatItHasNoRoomFor() {
        FakeLink link = new FakeLink(
                AtpConfig.simulated(1.25e8, 1_000).bufferBytes(2_000),
                new FakeLink.Weather(0, 0, 0, 100_000, 0, 1e9),
                Seeds.random("full"));
        link.sender.open(JobSpec.of(1, GroupSpec.open(0, 0.5, 0)));
        int taken = 0;
        while (link.sender.offer(1, 0, 700, 0L, 0) == AtpSender.Offer.TAKEN) {
            taken++;
        }
        assertThat(taken).isBetween(1, 10);
        link.sender.end(1, 0);
        assertThat(link.run(MOST_EVENTS)).isTrue();
        assertThat(link.closed.get(1).groups().get(0).messages()).isEqualTo(taken);
    }
}
