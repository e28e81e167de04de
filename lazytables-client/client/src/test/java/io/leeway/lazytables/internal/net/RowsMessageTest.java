package io.leeway.lazytables.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Rows that join the message before them, with other messages and frames in between. */
class RowsMessageTest {

    private static final int OTHER = 1;

    private final Outbox outbox = new Outbox();
    private final RowsMessage rows = new RowsMessage(outbox);
    private final List<byte[]> frames = new ArrayList<>();
    private int messages;

    /** What is written of a row, or of another message. */
    private record Said(int kind, long table, long second, long third, long row, long rest) {}

    @Test
    void whatIsReadIsWhatWasWrittenInItsOrder() {
        RandomGenerator random = Seeds.random("rows-message");
        var written = new ArrayList<Said>();
        for (int step = 0; step < 20_000; step++) {
            switch (random.nextInt(20)) {
                case 0 -> {
                    written.add(new Said(OTHER, 0, 0, 0, 0, step));
                    outbox.begin(OTHER).putVar(step);
                    outbox.end();
                }
                case 1 -> send();
                default -> {
                    var said = new Said(
                            2 + random.nextInt(20) / 19,
                            random.nextInt(20) / 19,
                            random.nextInt(20) / 19,
                            random.nextInt(20) / 19,
                            random.nextBoolean() ? step : random.nextLong() >>> 1,
                            step);
                    written.add(said);
                    write(said);
                }
            }
        }
        send();

        assertThat(read()).isEqualTo(written);
        assertThat(messages).isLessThan(written.size() / 2);
    }

    @Test
    void noFrameIsMuchLongerThanAFullOne() {
        for (int step = 0; step < 200_000; step++) {
            write(new Said(2, 0, 0, 0, step, step));
        }
        send();

        assertThat(read()).hasSize(200_000);
        assertThat(frames).hasSizeGreaterThan(4).allMatch(frame -> frame.length < 129 << 10);
    }

    @Test
    void aBufferThatIsUsedAgainHoldsNothingOfBefore() {
        var written = new ArrayList<Said>();
        for (int step = 0; step < 300_000; step++) {
            var said = new Said(2, 0, 0, 0, step % 1_000, step);
            written.add(said);
            write(said);
            if (step % 79_999 == 0) {
                send();
            }
        }
        send();

        assertThat(read()).isEqualTo(written);
        assertThat(frames).hasSizeGreaterThan(8);
    }

    @Test
    void aRowJoinsNoMessageThatWasDroppedWithItsConnection() {
        write(new Said(2, 0, 0, 0, 1, 1));
        outbox.clear();
        write(new Said(2, 0, 0, 0, 2, 2));
        send();

        assertThat(read()).containsExactly(new Said(2, 0, 0, 0, 2, 2));
    }

    private void write(Said said) {
        rows.row(said.kind, said.table, said.second, said.third, said.row).putVar(said.rest);
        rows.end();
    }

    private void send() {
        outbox.sendTo(CopyingSender.into(frames), 0);
    }

    private List<Said> read() {
        var read = new ArrayList<Said>();
        var frame = new WireReader();
        var message = new WireReader();
        for (byte[] bytes : frames) {
            frame.open(bytes, 0, bytes.length);
            while (frame.more()) {
                int kind = frame.getByte();
                frame.slice(frame.getInt(), message);
                messages++;
                if (kind == OTHER) {
                    read.add(new Said(OTHER, 0, 0, 0, 0, message.getVar()));
                } else {
                    readRows(kind, message, read);
                }
            }
        }
        return read;
    }

    private static void readRows(int kind, WireReader message, List<Said> read) {
        long table = message.getVar();
        long second = message.getVar();
        long third = message.getVar();
        long row = 0;
        do {
            row = message.getNext("The row", row, Long.MAX_VALUE);
            read.add(new Said(kind, table, second, third, row, message.getVar()));
        } while (message.more());
    }
}
