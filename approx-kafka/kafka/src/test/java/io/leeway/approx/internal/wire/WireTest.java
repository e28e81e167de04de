package io.leeway.approx.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.GroupSpec;
import io.leeway.approx.atp.Packet;
import io.leeway.testkit.Depth;
import io.leeway.testkit.Seeds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WireTest {

    private static final List<Frame> FRAMES = List.of(
            new Frame.Hello(1, 2, new byte[] {1, 2}, 7, "shim"),
            new Frame.Welcome(1, 9, new byte[28], new byte[28], 9096, 4),
            new Frame.Refused("APPROX-102", "no"),
            new Frame.Opened(
                    3,
                    new Control.Open(5, List.of(GroupSpec.open(0, 0.5, 100))),
                    new Window("trips", 0, 10, List.of("all"))),
            new Frame.Closed(
                    4,
                    new Control.Close(5, List.of(new Control.Totals(0, 0.5, 100, 1_000, 2.5, 50, 3, true))),
                    List.of(Sums.NONE.plus(3).plus(4)),
                    new byte[] {1, 2, 3}),
            new Frame.Data(new byte[] {1}),
            new Frame.Acknowledged(new byte[64]),
            new Frame.Received(8));

    @Test
    void framesComeBackAsTheyWere() {
        for (Frame frame : FRAMES) {
            byte[] bytes = Frame.encode(frame);
            assertThat(Frame.encode(Frame.decode(ByteBuffer.wrap(bytes)))).isEqualTo(bytes);
        }
    }

    @Test
    void damagedFramesAreRefusedAndNothingElseHappens() {
        RandomGenerator random = Seeds.random("frames");
        for (int i = 0; i < Depth.of(20_000, 1_000_000); i++) {
            byte[] bytes = Frame.encode(FRAMES.get(random.nextInt(FRAMES.size())));
            damage(bytes, random);
            int length = random.nextInt(bytes.length + 1);
            try {
                Frame.decode(ByteBuffer.wrap(bytes, 0, length).slice());
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void damagedRecordsAreRefusedAndNothingElseHappens() {
        RandomGenerator random = Seeds.random("records");
        RecordData record = new RecordData(
                "trips",
                3,
                17,
                new byte[] {1},
                null,
                List.of(new RecordData.Header("h", new byte[] {9}), new RecordData.Header("n", null)));
        byte[] whole = record.encode();
        assertThat(RecordData.decode(ByteBuffer.wrap(whole)).encode()).isEqualTo(whole);
        for (int i = 0; i < Depth.of(20_000, 1_000_000); i++) {
            byte[] bytes = whole.clone();
            damage(bytes, random);
            try {
                RecordData.decode(ByteBuffer.wrap(bytes, 0, random.nextInt(bytes.length + 1))
                        .slice());
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
    }

    @Test
    void damagedPacketsAreRefusedAndNothingElseHappens() {
        RandomGenerator random = Seeds.random("packets");
        for (int i = 0; i < Depth.of(20_000, 1_000_000); i++) {
            ByteBuffer out = ByteBuffer.allocate(200);
            Packets writer = new Packets();
            writer.write(out, packet(5, 9, 1), 100);
            writer.write(out, packet(6, 9, 1), 100);
            byte[] bytes = out.array();
            damage(bytes, random);
            List<Packet<byte[]>> read = new ArrayList<>();
            try {
                Packets.read(
                        ByteBuffer.wrap(bytes, 0, random.nextInt(out.position() + 1))
                                .slice(),
                        read::add);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
            assertThat(read)
                    .hasSizeLessThanOrEqualTo(20)
                    .allMatch(packet -> packet.number() >= 0 && packet.index() < packet.parts());
        }
    }

    private static Packet<byte[]> packet(long number, int message, int index) {
        return new Packet<>(number, 3, 1, 0, message, 120, index, 2, 20, false, true, false, new byte[120], 31);
    }

    private static void damage(byte[] bytes, RandomGenerator random) {
        for (int j = random.nextInt(4); j > 0 && bytes.length > 0; j--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
    }

    @Test
    void packetsComeBackAsTheyWere() {
        RandomGenerator random = Seeds.random("all packets");
        Packets writer = new Packets();
        for (int i = 0; i < 2_000; i++) {
            List<Packet<byte[]>> sent = new ArrayList<>();
            ByteBuffer out = ByteBuffer.allocate(10_000);
            writer.begin();
            long number = random.nextLong(1L << random.nextInt(1, 62));
            for (int j = random.nextInt(1, 20); j > 0; j--) {
                Packet<byte[]> packet = any(number, random);
                number += 1 + random.nextInt(1 << random.nextInt(1, 10));
                int before = out.position();
                writer.write(out, packet, 300);
                assertThat(out.position() - before - packet.bytes()).isLessThanOrEqualTo(Packets.MOST_HEADER);
                sent.add(packet);
            }
            List<Packet<byte[]>> read = new ArrayList<>();
            Packets.read(out.flip(), read::add);
            assertThat(read).usingElementComparator(WireTest::compare).isEqualTo(sent);
        }
    }

    private static Packet<byte[]> any(long number, RandomGenerator random) {
        int length = random.nextInt(900);
        int parts = Math.max(1, (length + 299) / 300);
        int index = random.nextInt(parts);
        byte[] message = new byte[length];
        random.nextBytes(message);
        return new Packet<>(
                number,
                random.nextInt(8),
                random.nextInt(1, 3),
                random.nextInt(2) * 0xFFFF,
                random.nextInt(1 << 28),
                length,
                index,
                parts,
                Math.min(300, length - index * 300),
                random.nextBoolean(),
                random.nextBoolean(),
                length == 0,
                message,
                0);
    }

    /** 0 if the second is what is read of the first. */
    private static int compare(Packet<byte[]> read, Packet<byte[]> sent) {
        byte[] part = Arrays.copyOfRange(sent.payload(), sent.index() * 300, sent.index() * 300 + sent.bytes());
        Packet<byte[]> expected = new Packet<>(
                sent.number(),
                sent.queue(),
                sent.job(),
                sent.group(),
                sent.message(),
                sent.length(),
                sent.index(),
                sent.parts(),
                sent.bytes(),
                sent.ordered(),
                sent.resent(),
                sent.probe(),
                read.payload(),
                0);
        return Arrays.equals(part, read.payload()) && expected.equals(read) ? 0 : 1;
    }

    @Test
    void smallPacketsHaveSmallHeaders() {
        ByteBuffer out = ByteBuffer.allocate(2_000);
        Packets writer = new Packets();
        for (int i = 0; i < 10; i++) {
            writer.write(
                    out,
                    new Packet<>(
                            1_000_000 + i, 4, 77, 0, 30 * i, 100, 0, 1, 100, false, false, false, new byte[100], 0),
                    1_300);
        }
        assertThat(out.position()).isLessThan(10 * 100 + 10 * 6 + 12);
    }

    @Test
    void acknowledgementsComeBackAsTheyWere() {
        Ack ack = new Ack(9, 1, 2, 3, 4, 5, 6, 7);
        ByteBuffer out = ByteBuffer.allocate(Datagrams.ACK);
        Datagrams.ack(out, ack);
        assertThat(Datagrams.ack(out.flip())).isEqualTo(ack);
        assertThat(Datagrams.ack(ByteBuffer.allocate(3))).isNull();
    }

    @Test
    void aSealOpensOnlyWhatWasSealedWithItsKeyNumberAndHeader() {
        byte[] secret = new byte[Seal.SECRET];
        secret[3] = 9;
        ByteBuffer out = ByteBuffer.allocate(64);
        new Seal(secret).seal(7, ByteBuffer.wrap(new byte[] {1}), ByteBuffer.wrap(new byte[] {42}), out);
        byte[] sealed = new byte[out.flip().remaining()];
        out.get(sealed);
        assertThat(opens(secret, 7, 1, sealed)).isTrue();
        assertThat(opens(secret, 8, 1, sealed)).isFalse();
        assertThat(opens(secret, 7, 2, sealed)).isFalse();
        assertThat(opens(new byte[Seal.SECRET], 7, 1, sealed)).isFalse();
        sealed[0] ^= 1;
        assertThat(opens(secret, 7, 1, sealed)).isFalse();
        assertThatThrownBy(() -> new Seal(new byte[3])).isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean opens(byte[] secret, long number, int header, byte[] sealed) {
        ByteBuffer plain = ByteBuffer.allocate(64);
        return new Seal(secret)
                .open(number, ByteBuffer.wrap(new byte[] {(byte) header}), ByteBuffer.wrap(sealed), plain);
    }

    @Test
    void aNumberIsAcceptedOnceAndNotTooLate() {
        ReplayWindow window = new ReplayWindow();
        assertThat(window.accept(5)).isTrue();
        assertThat(window.accept(5)).isFalse();
        assertThat(window.accept(3)).isTrue();
        assertThat(window.accept(ReplayWindow.SPAN + 4)).isTrue();
        assertThat(window.accept(4)).isFalse();
        assertThat(window.accept(5)).isFalse();
        assertThat(window.accept(6)).isTrue();
        assertThat(window.accept(Long.MAX_VALUE)).isTrue();
        assertThat(window.accept(-1)).isFalse();
    }
}
