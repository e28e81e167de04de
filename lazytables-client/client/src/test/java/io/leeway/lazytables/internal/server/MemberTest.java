package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever happens to a process, in any order in which a server may hear of it: what holds of it on that server. */
class MemberTest {

    private static final int RUNS = Depth.of(2_000, 100_000);
    private static final int STEPS = 30;

    private final Memory memory = new Memory();
    private int globalClock;
    private long incarnations;

    @Test
    void aServerGoesOnFromASnapshotWithWhatItKnewOfAProcess() {
        RandomGenerator random = Seeds.random("members in snapshots");
        for (int i = 0; i < RUNS; i++) {
            Member member = anyMember(random);
            byte[] before = written(member);

            Member restored = read(before);

            assertThat(written(restored)).isEqualTo(before);
            assertThat(restored.status(false)).isEqualTo(member.status(false));
            assertThat(restored.outlook()).isEqualTo(member.outlook());
            assertThat(restored.hasLeft()).isEqualTo(member.hasLeft());
            assertThat(restored.hasBegun()).isEqualTo(member.hasBegun());
            assertThat(restored.touched()).isEqualTo(member.touched());
        }
    }

    @Test
    void nothingOfAProcessGoesBack() {
        RandomGenerator random = Seeds.random("members go on");
        for (int i = 0; i < RUNS; i++) {
            Member member = anyMember(random);
            int clock = member.clock();
            long applied = member.applied();
            int leg = member.leg();

            step(member, random);

            assertThat(member.clock()).isGreaterThanOrEqualTo(clock);
            assertThat(member.applied()).isGreaterThanOrEqualTo(applied);
            assertThat(member.leg()).isGreaterThanOrEqualTo(leg);
            assertThat(member.counted()).isGreaterThanOrEqualTo(member.clock());
            assertThat(member.complete()).isGreaterThanOrEqualTo(member.clock());
            assertThat(member.touched()).isBetween(member.clock(), member.clock() + 1);
        }
    }

    @Test
    void whoeverHasLeftOrIsAwaitedSendsNothingMore() {
        RandomGenerator random = Seeds.random("members end");
        for (int i = 0; i < RUNS; i++) {
            Member member = anyMember(random);
            if (member.hasEndedLeg()) {
                assertThat(member.isComplete()).isTrue();
            }
            if (member.hasLeft()) {
                assertThat(member.isLost()).isFalse();
            }
        }
    }

    @Test
    void serversInThePlaceOfOthersKnowWhatThoseAgreedOn() {
        RandomGenerator random = Seeds.random("members put together");
        for (int i = 0; i < RUNS; i++) {
            Member member = anyMember(random);
            Member same = read(written(member));
            if (!member.agrees(same)) {
                assertThat(member.touched()).isGreaterThan(member.clock());
                continue;
            }
            Member merged = Member.merged(List.of(member, same));

            assertThat(merged.agrees(member)).isTrue();
            assertThat(merged.status(false)).isEqualTo(member.status(false));
            assertThat(merged.hasBegun()).isEqualTo(member.hasBegun());
            assertThat(merged.outlook()).isEqualTo(member.outlook());
        }
    }

    private Member anyMember(RandomGenerator random) {
        globalClock = 0;
        Member member = Member.first(hello(random), random.nextInt(3));
        if (!member.hasBegun() && random.nextBoolean()) {
            member.joinAt(random.nextInt(3));
        }
        member.greets(hello(random));
        int steps = random.nextInt(STEPS);
        for (int i = 0; i < steps; i++) {
            step(member, random);
        }
        return member;
    }

    /** One thing that a server may hear of the process, or decide about it, as it is. */
    private void step(Member member, RandomGenerator random) {
        globalClock = Math.max(globalClock, member.clock()) + random.nextInt(2);
        switch (random.nextInt(9)) {
            case 0 -> {
                member.takeOver(++incarnations, member.leg() + random.nextInt(2), globalClock);
                member.greets(hello(random));
            }
            case 1 -> {
                if (!member.hasBegun()) {
                    settle(member);
                    member.resumeAt(member.clock() + random.nextInt(3), random.nextInt(5), random.nextBoolean());
                }
            }
            case 2 -> {
                if (!isOver(member)) {
                    settle(member);
                    member.end();
                    member.hasSaid(member.received() + 1);
                }
            }
            case 3 -> {
                if (!isOver(member)) {
                    settle(member);
                    member.close();
                    member.hasSaid(member.received() + 1);
                }
            }
            case 4 -> member.forsake();
            case 5 -> {
                if (!member.hasLeft()) {
                    settle(member);
                    member.drop();
                }
            }
            case 6 -> {
                if (member.hasLeft()) {
                    member.await(globalClock);
                }
            }
            default -> update(member, random);
        }
    }

    private void update(Member member, RandomGenerator random) {
        if (isOver(member) || !member.hasBegun()) {
            return;
        }
        var part = new ClockPart(member.received() + 1, member.complete() + 1, random.nextBoolean(), 8, List.of());
        member.has(part);
        if (member.commits() && random.nextBoolean()) {
            member.stage(part, memory);
        } else {
            apply(member);
            member.did(part);
        }
    }

    private static boolean isOver(Member member) {
        return member.isComplete() && (member.hasEndedLeg() || hasClosed(member));
    }

    private static boolean hasClosed(Member member) {
        ServerStatus.State state = member.status(true).state();
        return state == ServerStatus.State.UNFINISHED || state == ServerStatus.State.LOST;
    }

    private void settle(Member member) {
        apply(member);
        member.forgetStaged(memory);
    }

    private void apply(Member member) {
        while (member.hasStaged(Integer.MAX_VALUE)) {
            member.did(member.unstage(memory));
        }
    }

    private Admission.Hello hello(RandomGenerator random) {
        return new Admission.Hello(1, ++incarnations, 2, random.nextBoolean(), false, 0, random.nextInt(5));
    }

    private static Member read(byte[] written) {
        var in = new WireReader();
        in.open(written, 0, written.length);
        return Member.read(in);
    }

    private static byte[] written(Member member) {
        var out = new WireBuffer(64);
        member.write(out);
        return Arrays.copyOf(out.array(), out.size());
    }
}
