package io.leeway.approx.atp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.approx.atp.AtpConfig.Selection;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SenderTest {

    private static final FakeLink.Weather FINE = new FakeLink.Weather(0, 0, 0, 50_000, 0, 1e9);
    private static final AtpConfig CONFIG = AtpConfig.simulated(1.25e8, 1_000).initialRtt(100_000);

    private static FakeLink link(AtpConfig config) {
        return new FakeLink(config, FINE, new Random(1));
    }

    @Test
    void sendsSmallMessagesFirstOnlyIfAsked() {
        int[] sizes = {3_000, 100, 2_000, 500};
        FakeLink paper = link(CONFIG.selection(Selection.ANY));
        FakeLink plain = link(CONFIG.selection(Selection.ANY).minimalRemainingFirst(false));
        for (FakeLink link : new FakeLink[] {paper, plain}) {
            // Before it may send, the first packet of each is held back by the pace.
            link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 0.99, 4)));
            for (int i = 0; i < sizes.length; i++) {
                link.sender.offer(1, 0, sizes[i], (long) i, 0);
            }
            link.sender.end(1, 0);
            assertThat(link.run(10_000)).isTrue();
        }
        assertThat(paper.delivered.get("1/0")).startsWith(1, 3).hasSize(4);
        assertThat(plain.delivered.get("1/0")).containsExactly(0, 1, 2, 3);
    }

    @Test
    void silenceAfterARestBeginsWithWhatIsSentIntoIt() {
        FakeLink link = link(CONFIG);
        long rest = 10_000_000_000L;
        for (int job = 1; job <= 2; job++) {
            int id = job;
            link.in(rest, () -> {
                link.sender.open(JobSpec.of(id, GroupSpec.exactly(0, 0.5, 1)));
                link.sender.offer(id, 0, 100, 0L, link.now);
                // Else a moment without an answer would be taken for one of ten seconds.
                assertThat(link.sender.state().heardAt()).isEqualTo(link.now);
                link.sender.end(id, link.now);
            });
            assertThat(link.run(10_000)).isTrue();
            assertThat(link.finished).hasSize(id);
        }
    }

    @Test
    void sendsOtherGroupsWhileOneIsLong() {
        FakeLink link = link(CONFIG);
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 0.9, 1_000), GroupSpec.exactly(1, 0.9, 1_000)));
        for (int group = 0; group < 2; group++) {
            for (int i = 0; i < 1_000; i++) {
                link.sender.offer(1, group, 500, (long) i, 0);
            }
        }
        link.sender.end(1, 0);
        assertThat(link.run(1_000_000)).isTrue();
        long ofTheFirst = link.packets.stream()
                .limit(400)
                .filter(packet -> packet.group() == 0)
                .count();
        assertThat(ofTheFirst).isBetween(150L, 250L);
    }

    @Test
    void keepsInsideThePriorityQueuesOfApproximateTraffic() {
        FakeLink link = link(CONFIG.queues(4));
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 1, 10), GroupSpec.exactly(1, 0.1, 10)));
        for (int i = 0; i < 10; i++) {
            link.sender.offer(1, 0, 500, (long) i, 0);
            link.sender.offer(1, 1, 500, (long) i, 0);
        }
        link.sender.end(1, 0);
        assertThat(link.run(10_000)).isTrue();
        assertThat(link.packets)
                .allSatisfy(packet -> assertThat(packet.queue()).isEqualTo(packet.group() == 0 ? 1 : 3));
    }

    @Test
    void refusesWhatItCannotKeep() {
        FakeLink link = link(CONFIG);
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 0.5, 1)));
        assertThatThrownBy(() -> link.sender.open(JobSpec.of(1, GroupSpec.open(0, 0.5, 0))))
                .hasMessageContaining("not after");
        assertThatThrownBy(() -> link.sender.offer(2, 0, 10, 0L, 0)).hasMessageContaining("not open");
        assertThatThrownBy(() -> link.sender.offer(1, 9, 10, 0L, 0)).hasMessageContaining("no group");
        assertThatThrownBy(() -> link.sender.offer(1, 0, 70_000_000, 0L, 0)).hasMessageContaining("cannot be sent");
        link.sender.offer(1, 0, 10, 0L, 0);
        assertThatThrownBy(() -> link.sender.offer(1, 0, 10, 0L, 0)).hasMessageContaining("has all its messages");
        assertThatThrownBy(() -> GroupSpec.open(0, 1.5, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CONFIG.queues(9)).hasMessageContaining("queues");
    }

    @Test
    void forgedAcknowledgementsDoNoHarm() {
        FakeLink link = link(CONFIG);
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 1, 3)));
        link.sender.onAck(new Ack(Long.MAX_VALUE, -1, -1, -1, -1, -5, Long.MAX_VALUE, -1), 5);
        link.sender.onAck(new Ack(-9, -1, -1, -1, -1, Long.MAX_VALUE, Long.MAX_VALUE, 0), 6);
        for (int i = 0; i < 3; i++) {
            link.sender.offer(1, 0, 10, (long) i, 10);
        }
        link.sender.end(1, 10);
        assertThat(link.run(10_000)).isTrue();
        assertThat(link.closed.get(1).kept()).isTrue();
    }

    @Test
    void sendsAgainByOtherMeansWhatWasOnItsWay() {
        FakeLink link = new FakeLink(CONFIG, new FakeLink.Weather(1, 0, 0, 50_000, 0, 1e9), new Random(1));
        link.sender.open(JobSpec.of(1, GroupSpec.exactly(0, 1, 20)));
        for (int i = 0; i < 20; i++) {
            link.sender.offer(1, 0, 10, (long) i, 0);
        }
        link.sender.end(1, 0);
        link.in(5_000_000, () -> {
            link.carried = true;
            link.sender.carrier(false, link.now);
        });
        assertThat(link.run(10_000)).isTrue();
        assertThat(link.closed.get(1).kept()).isTrue();
        assertThat(link.delivered.get("1/0")).hasSize(20).isSorted();
    }

    @Test
    void learnsThatTheRoundTripIsLongerThanItWasTakenFor() {
        // Two hundred times: the first packets are presumed lost until one has been answered, and no more after that.
        FakeLink link = new FakeLink(CONFIG, new FakeLink.Weather(0, 0, 0, 10_000_000, 0, 1e9), new Random(1));
        for (int job = 1; job <= 2; job++) {
            open(link, job, 200);
            assertThat(link.run(1_000_000)).isTrue();
            assertThat(link.closed.get(job).kept()).isTrue();
        }
        assertThat(link.packets.stream().filter(packet -> packet.job() == 2))
                .hasSizeBetween(100, 110)
                .noneMatch(Packet::resent);
    }

    private static void open(FakeLink link, int job, int messages) {
        link.sender.open(JobSpec.of(job, GroupSpec.exactly(0, 0.5, messages)));
        for (int i = 0; i < messages; i++) {
            link.sender.offer(job, 0, 500, (long) i, link.now);
        }
        link.sender.end(job, link.now);
    }
}
