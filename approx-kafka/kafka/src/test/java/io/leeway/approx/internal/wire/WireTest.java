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
            Datagrams.packet(out, packet(), 100);
            Datagrams.packet(out, packet(), 100);
            byte[] bytes = out.array();
            damage(bytes, random);
            List<Packet<byte[]>> read = new ArrayList<>();
            try {
                Datagrams.packets(
                        ByteBuffer.wrap(bytes, 0, random.nextInt(out.position() + 1))
                                .slice(),
                        read::add);
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
            assertThat(read).hasSizeLessThanOrEqualTo(5);
        }
    }

    private static Packet<byte[]> packet() {
        return new Packet<>(5, 3, 1, 0, 9, 120, 1, 2, 20, false, true, false, new byte[120], 31);
    }

    private static void damage(byte[] bytes, RandomGenerator random) {
        for (int j = random.nextInt(4); j > 0 && bytes.length > 0; j--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
    }

    @Test
    void packetsComeBackAsTheyWere() {
        ByteBuffer out = ByteBuffer.allocate(200);
        Datagrams.packet(out, packet(), 100);
        List<Packet<byte[]>> read = new ArrayList<>();
        Datagrams.packets(out.flip(), read::add);
        assertThat(read).singleElement().satisfies(packet -> {
            assertThat(packet.number()).isEqualTo(5);
            assertThat(packet.queue()).isEqualTo(3);
            assertThat(packet.resent()).isTrue();
            assertThat(packet.payload()).hasSize(20);
        });
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
