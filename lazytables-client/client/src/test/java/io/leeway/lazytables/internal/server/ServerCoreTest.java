package io.leeway.lazytables.internal.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.internal.net.CopyingSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.net.RowsMessage;
import io.leeway.lazytables.internal.row.CombineOps;
import io.leeway.lazytables.internal.row.Row;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import io.leeway.lazytables.internal.wire.WireException;
import io.leeway.lazytables.internal.wire.WireReader;
import io.leeway.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What a server does with messages that a sound client does not send, and with clients that end. */
class ServerCoreTest {

    private static final TableSpec SPEC = TableSpec.dense(CellType.LONG, 3);

    private TableSpec spec = SPEC;
    private ServerCore server = new ServerCore(2, CombineOps.of(List.of()));
    private long made;
    private int flags;
    private int generation;
    private int place;
    private long durable;
    private final List<String> refusals = new ArrayList<>();
    private final List<Integer> closed = new ArrayList<>();
    private final List<Long> values = new ArrayList<>();
    private final Outbox outbox = new Outbox();

    @Test
    void anUpdateThatComesTwiceCountsOnce() {
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        update(0, 1, 1, 5);
        update(0, 2, 2, 7);
        update(0, 1, 1, 5);

        assertThat(read(0)).isEqualTo(12);
        assertThat(refusals).isEmpty();
    }

    @Test
    void anUpdateThatSkipsOneOrGoesBackIsRefused() {
        open(0, 0);
        update(0, 2, 1, 5);
        open(1, 0);
        update(1, 1, 2, 5);
        open(2, 0);
        update(2, 1, 1, 5);
        update(2, 2, 1, 5);

        assertThat(refusals)
                .satisfiesExactly(
                        text -> assertThat(text).contains("Update 2 came behind update 0"),
                        text -> assertThat(text).contains("An update of clock 2 came where clock 1 goes on"),
                        text -> assertThat(text).contains("An update of clock 1 came where clock 2 goes on"));
        assertThat(closed).containsExactly(0, 1, 2);
        open(3, 1);
        assertThat(read(3)).isEqualTo(5);
    }

    @Test
    void anotherVersionAnotherNumberOfProcessesAndATwinAreRefused() {
        server.onOpen(0);
        hello(0, Protocol.VERSION + 1, 0, 2, 1);
        server.onOpen(1);
        hello(1, Protocol.VERSION, 0, 3, 1);
        server.onOpen(2);
        hello(2, Protocol.VERSION, 2, 2, 1);
        open(3, 0);
        server.onOpen(4);
        hello(4, Protocol.VERSION, 0, 2, 99);

        assertThat(refusals)
                .satisfiesExactly(
                        text -> assertThat(text).contains("use the same release"),
                        text -> assertThat(text).contains("expects 3 processes, this server 2"),
                        text -> assertThat(text).contains("Its number is 2"),
                        text -> assertThat(text).contains("There is a process 0 already"));
    }

    @Test
    void garbageIsRefusedAndChangesNothing() {
        RandomGenerator random = Seeds.random("garbage");
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        byte[] good = frame(0, 2, 2, 7);
        for (int i = 0; i < 3_000; i++) {
            int peer = 10 + i;
            open(peer, 1);
            byte[] bad = good.clone();
            // Not the numbers in front of the rows, whose change makes another sound message.
            bad[random.nextInt(5)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(bad, random.nextInt(bad.length));
            server.onFrame(peer, cut, 0, cut.length);
            flush();
            server.onClosed(peer, null);
        }

        assertThat(read(0)).isEqualTo(5);
        assertThat(server.globalClock()).isZero();
    }

    @Test
    void garbageInQuestionsIsRefusedAndTheOthersAreAnswered() {
        RandomGenerator random = Seeds.random("garbage-questions");
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        byte[] good = questions();
        for (int i = 0; i < 3_000; i++) {
            int peer = 10 + i;
            open(peer, 1);
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(bad, 1 + random.nextInt(bad.length));
            server.onFrame(peer, cut, 0, cut.length);
            flush();
            server.onClosed(peer, null);
        }

        assertThat(refusals).anyMatch(text -> text.contains("The row is "));
        assertThat(refusals).anyMatch(text -> text.contains("ends too early"));
        assertThat(read(0)).isEqualTo(5);
    }

    /** For the table's first rows, in one message. */
    private byte[] questions() {
        var rows = new RowsMessage(outbox);
        for (int i = 0; i < 20; i++) {
            rows.row(Protocol.READ, 0, i / 10, 0, i % 10).putVar(0);
            rows.end();
        }
        return taken();
    }

    @Test
    void aProcessThatEndsHoldsNobodyBack() {
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        assertThat(server.globalClock()).isZero();

        bye(1, 1);

        assertThat(server.globalClock()).isEqualTo(1);
        update(1, 2, 1, 9);
        assertThat(refusals).singleElement().asString().contains("after the end of process 1");
        assertThat(read(0)).isEqualTo(5);
    }

    @Test
    void aProcessThatIsGoneTooLongIsDroppedAndNotTakenBack() {
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        update(1, 1, 1, 9);
        update(0, 2, 2, 1);
        server.onClosed(1, null);

        assertThat(server.expire(100, 50)).isEmpty();
        assertThat(server.expire(150, 50)).isEmpty();
        assertThat(server.globalClock()).isEqualTo(1);
        assertThat(server.expire(151, 50)).containsExactly(1);

        assertThat(server.globalClock()).isEqualTo(2);
        assertThat(read(0)).isEqualTo(15);
        server.onOpen(2);
        hello(2, Protocol.VERSION, 1, 2, 2);
        assertThat(refusals).singleElement().asString().contains("start it anew with lazytables.resume=true");
    }

    @Test
    void aProcessThatComesBackInTimeStays() {
        open(0, 0);
        open(1, 1);
        server.onClosed(1, null);
        server.expire(100, 50);
        open(2, 1);
        server.expire(200, 50);
        server.onClosed(2, null);

        assertThat(server.expire(250, 50)).isEmpty();
        assertThat(server.expire(299, 50)).isEmpty();
    }

    @Test
    void aRestartedServerAnswersWhenItHasWhatTheOneBeforeItHad() {
        server = ServerCore.recoverable(2, CombineOps.of(List.of()));
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        update(1, 1, 1, 9);
        byte[] snapshot = server.snapshot();
        server.snapshotStored();
        update(0, 2, 2, 7);
        assertThat(read(0)).isEqualTo(21);

        server = ServerCore.restore(snapshot, CombineOps.of(List.of()));
        made = 2;
        open(10, 0);
        ask(10);
        made = 1;
        open(11, 1);
        update(10, 1, 1, 5);
        assertThat(values).isEmpty();
        update(10, 2, 2, 7);

        assertThat(values).containsExactly(21L);
        assertThat(server.globalClock()).isEqualTo(1);
    }

    @Test
    void aProcessThatHadEndedIsNotWaitedForAfterARestart() {
        server = ServerCore.recoverable(2, CombineOps.of(List.of()));
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        update(1, 1, 1, 9);
        bye(1, 2);
        byte[] snapshot = server.snapshot();

        server = ServerCore.restore(snapshot, CombineOps.of(List.of()));
        made = 1;
        open(10, 0);

        assertThat(read(10)).isEqualTo(14);
        made = 0;
    }

    @Test
    void anEndThatIsSentAgainIsTheLastThatARestartedServerWaitsFor() {
        server = ServerCore.recoverable(1, CombineOps.of(List.of()));
        openOf(0, 0, 1);
        update(0, 1, 1, 5);
        byte[] snapshot = server.snapshot();
        bye(0, 2);

        server = ServerCore.restore(snapshot, CombineOps.of(List.of()));
        made = 2;
        openOf(10, 0, 1);
        ask(10);
        assertThat(values).isEmpty();
        bye(10, 2);

        assertThat(values).containsExactly(5L);
    }

    @Test
    void clientsKeepWhatOnlyTheNewestSnapshotHolds() {
        server = ServerCore.recoverable(1, CombineOps.of(List.of()));
        openOf(0, 0, 1);
        update(0, 1, 1, 5);
        server.snapshot();
        server.snapshotStored();
        flush();
        assertThat(durable).isZero();

        update(0, 2, 2, 5);
        server.snapshot();
        server.snapshotStored();
        flush();
        assertThat(durable).isEqualTo(1);
    }

    @Test
    void whoEndsIsToldWhenOneSnapshotHoldsIt() {
        server = ServerCore.recoverable(1, CombineOps.of(List.of()));
        openOf(0, 0, 1);
        update(0, 1, 1, 5);
        assertThat(server.wantsSnapshot()).isFalse();
        bye(0, 2);
        assertThat(server.wantsSnapshot()).isTrue();

        server.snapshot();
        server.snapshotStored();
        flush();

        assertThat(durable).isEqualTo(2);
        assertThat(server.wantsSnapshot()).isFalse();
    }

    @Test
    void aClientMayAskForASnapshot() {
        server = ServerCore.recoverable(1, CombineOps.of(List.of()));
        openOf(0, 0, 1);
        update(0, 1, 1, 5);
        send(0, Protocol.STORE, out -> {});

        for (int i = 0; i < 2; i++) {
            assertThat(server.wantsSnapshot()).isTrue();
            server.snapshot();
            server.snapshotStored();
        }

        assertThat(server.wantsSnapshot()).isFalse();
    }

    @Test
    void aServerIsOnePlaceForAll() {
        open(0, 0);
        place = 1;
        server.onOpen(1);
        hello(1, Protocol.VERSION, 1, 2, 2);
        place = 0;

        assertThat(refusals).singleElement().asString().contains("number 1 of 3, which is number 0 of 3");
    }

    @Test
    void aClockThatIsStagedCountsWhenItIsCommitted() {
        resumed(0, 0, 1);
        resumed(1, 1, 2);
        update(0, 2, 1, 5);
        update(1, 2, 1, 9);

        assertThat(read(0)).isZero();
        assertThat(server.globalClock()).isZero();
        commit(0, 1);
        assertThat(read(0)).isEqualTo(5);
        commit(1, 1);
        assertThat(read(1)).isEqualTo(14);
        assertThat(server.globalClock()).isEqualTo(1);
        commit(0, 2);
        assertThat(refusals).singleElement().asString().contains("The clock is 2, not 0 to 1");
    }

    @Test
    void aSuccessorGoesOnWhereItSaysAndTheRestIsGivenUp() {
        resumed(0, 0, 1);
        resumed(1, 1, 2);
        update(1, 2, 1, 9);
        update(1, 3, 2, 100);

        resumed(2, 1, 3, 1);
        commit(2, 1);
        update(2, 4, 2, 7);
        commit(2, 2);

        assertThat(read(0)).isEqualTo(16);
        assertThat(refusals).singleElement().asString().contains("Another process has taken the place of process 1");
        assertThat(closed).containsExactly(1);
    }

    /** A number alone, however high, is no proof: who takes a place commits its clocks. */
    @Test
    void aPlaceIsNotTakenByWhoOnlyCountsHigher() {
        open(0, 0);
        update(0, 1, 1, 5);
        generation = 7;
        server.onOpen(1);
        hello(1, Protocol.VERSION, 0, 2, 99);
        flags = Protocol.ASKS;
        server.onOpen(2);
        hello(2, Protocol.VERSION, 0, 2, 99);
        flags = Protocol.COMMITS | Protocol.ASKS;
        server.onOpen(3);
        hello(3, Protocol.VERSION, 0, 2, 99);

        assertThat(refusals)
                .satisfiesExactly(
                        text -> assertThat(text).contains("There is a process 0 already"),
                        text -> assertThat(text).contains("does not commit its clocks"),
                        text -> assertThat(text).contains("nobody takes its place"));
        assertThat(closed).containsExactly(1, 2, 3);
        update(0, 2, 2, 7);
        assertThat(server.status().processes().get(0).clock()).isEqualTo(2);
    }

    @Test
    void whoWasReplacedDoesNotComeBack() {
        resumed(0, 0, 1);
        resumed(1, 1, 2);
        resumed(2, 1, 3);
        flags = Protocol.COMMITS;
        generation = 1;
        server.onOpen(3);
        hello(3, Protocol.VERSION, 1, 2, 2);

        assertThat(refusals).hasSize(2).last().asString().contains("Another process has taken the place of process 1");
    }

    @Test
    void aProcessThatJoinsHoldsTheGlobalClockBack() {
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 5);
        update(1, 1, 1, 5);
        flags = Protocol.COMMITS | Protocol.ASKS;
        server.onOpen(2);
        hello(2, Protocol.VERSION, 5, 2, 9);
        update(0, 2, 2, 5);
        update(1, 2, 2, 5);
        assertThat(server.globalClock()).isEqualTo(1);

        resume(2, 1, 1);
        define(2);
        update(2, 2, 2, 3);
        commit(2, 2);

        assertThat(server.globalClock()).isEqualTo(2);
        assertThat(read(2)).isEqualTo(23);
    }

    @Test
    void aSuccessorIsToldOfWhatAServerHasLost() {
        server = ServerCore.recoverable(1, CombineOps.of(List.of()));
        flags = Protocol.COMMITS | Protocol.ASKS;
        server.onOpen(0);
        hello(0, Protocol.VERSION, 0, 1, 9);
        resume(0, 7, 0);

        assertThat(refusals).singleElement().asString().contains("to go on at clock 7", "its clocks up to 0");
    }

    @Test
    void nothingIsTakenBeforeAProcessSaysWhereItGoesOn() {
        flags = Protocol.COMMITS | Protocol.ASKS;
        server.onOpen(0);
        hello(0, Protocol.VERSION, 0, 2, 9);
        define(0);

        assertThat(refusals).singleElement().asString().contains("before the process said where it goes on");
    }

    @Test
    void aRestartedServerAnswersWhenTheLastThatItLackedIsTheEndOfAProcess() {
        server = ServerCore.recoverable(2, CombineOps.of(List.of()));
        open(0, 0);
        made = 1;
        open(1, 1);
        ask(0);
        assertThat(values).isEmpty();
        bye(1, 1);

        assertThat(values).containsExactly(0L);
    }

    @Test
    void aSnapshotThatIsCutOrChangedIsNotTaken() {
        server = ServerCore.recoverable(2, CombineOps.of(List.of()));
        open(0, 0);
        update(0, 1, 1, 5);
        byte[] snapshot = server.snapshot();

        for (int length = 0; length < snapshot.length; length++) {
            byte[] cut = Arrays.copyOf(snapshot, length);
            assertThatThrownBy(() -> ServerCore.restore(cut, CombineOps.of(List.of())))
                    .isInstanceOf(WireException.class);
        }
    }

    @Test
    void aReadWithinARadiusOfATableWithoutALimitIsRefused() {
        open(0, 0);
        within(0, 0, 0);

        assertThat(refusals).singleElement().asString().contains("table t, whose steps have no limit");
    }

    @Test
    void aStepThatIsTooLongIsRefusedAndChangesNothing() {
        spec = SPEC.maxStep(3);
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 4);

        assertThat(refusals).singleElement().asString().contains("by 4.0 in one clock, where each worker may by 3.0");
        assertThat(read(1)).isZero();
    }

    @Test
    void aReadWithinARadiusWaitsForClocksUntilFewEnoughAreMissing() {
        spec = SPEC.maxStep(3);
        open(0, 0);
        open(1, 1);
        update(0, 1, 1, 1);
        update(0, 2, 2, 2);
        within(0, 2, 1);
        assertThat(values).isEmpty();

        update(1, 1, 1, 3);
        assertThat(values).containsExactly(6L);
        within(0, 2, 0);
        assertThat(values).isEmpty();
        bye(1, 2);
        assertThat(values).containsExactly(6L);
    }

    @Test
    void aReadWithinARadiusHoldsNothingOfOthersThatIsTooNew() {
        spec = SPEC.maxStep(3);
        open(0, 0);
        open(1, 1);
        update(1, 1, 1, 1);
        update(1, 2, 2, 2);
        update(1, 3, 3, 3);

        within(0, 0, 0);
        assertThat(values).containsExactly(0L);
        within(0, 2, 0);
        assertThat(values).containsExactly(3L);
        within(0, 7, 4);
        assertThat(values).containsExactly(6L);
        assertThat(read(0)).isEqualTo(6);
    }

    private void within(int peer, int clock, int allowed) {
        values.clear();
        send(peer, Protocol.WITHIN, out -> {
            out.putVar(0);
            out.putVar(0);
            out.putVar(clock);
            out.putVar(allowed);
        });
    }

    private void open(int peer, int process) {
        openOf(peer, process, 2);
    }

    private void openOf(int peer, int process, int processes) {
        server.onOpen(peer);
        hello(peer, Protocol.VERSION, process, processes, process + 1);
        define(peer);
    }

    /** Lets a process in that may be replaced, at clock 0. */
    private void resumed(int peer, int process, long incarnation) {
        resumed(peer, process, incarnation, 0);
    }

    private void resumed(int peer, int process, long incarnation, int clock) {
        flags = Protocol.COMMITS | Protocol.ASKS;
        server.onOpen(peer);
        hello(peer, Protocol.VERSION, process, 2, incarnation);
        generation++;
        resume(peer, clock, 0);
        define(peer);
        flags = 0;
    }

    private void resume(int peer, int clock, int skips) {
        send(peer, Protocol.RESUME, out -> {
            out.putVar(generation);
            out.putVar(clock);
            out.putVar(skips);
            out.putVar(0);
            out.putLong(0);
        });
    }

    private void commit(int peer, int clock) {
        send(peer, Protocol.COMMIT, out -> out.putVar(clock));
    }

    private void bye(int peer, int sequence) {
        send(peer, Protocol.BYE, out -> out.putVar(sequence));
    }

    private void define(int peer) {
        send(peer, Protocol.TABLE, out -> {
            out.putVar(0);
            out.putText("t");
            SpecCodec.write(spec, out);
        });
    }

    private void hello(int peer, int version, int process, int processes, long incarnation) {
        send(peer, Protocol.HELLO, out -> {
            out.putVar(version);
            out.putVar(flags);
            out.putVar(generation);
            out.putVar(process);
            out.putVar(processes);
            out.putVar(1);
            out.putLong(incarnation);
            out.putVar(made);
            out.putVar(place);
            out.putVar(3);
        });
    }

    private void update(int peer, int sequence, int clock, long value) {
        byte[] frame = frame(0, sequence, clock, value);
        server.onFrame(peer, frame, 0, frame.length);
        flush();
    }

    private byte[] frame(int table, int sequence, int clock, long value) {
        WireBuffer out = outbox.begin(Protocol.UPDATE);
        out.putVar(sequence);
        out.putVar(clock);
        out.putByte(1);
        out.putVar(1);
        out.putVar(table);
        out.putVar(1);
        var log = new RowLog(spec, 0);
        log.updateLong(1, value);
        log.write(out);
        outbox.end();
        return taken();
    }

    private long read(int peer) {
        ask(peer);
        assertThat(values).hasSize(1);
        return values.get(0);
    }

    private void ask(int peer) {
        values.clear();
        send(peer, Protocol.READ, out -> {
            // The table, the clock, whether to send changes, the row, the version.
            for (int i = 0; i < 5; i++) {
                out.putVar(0);
            }
        });
    }

    private void send(int peer, int kind, Consumer<WireBuffer> body) {
        body.accept(outbox.begin(kind));
        outbox.end();
        byte[] frame = taken();
        server.onFrame(peer, frame, 0, frame.length);
        flush();
    }

    private byte[] taken() {
        List<byte[]> frames = new ArrayList<>();
        outbox.sendTo(CopyingSender.into(frames), 0);
        return frames.get(0);
    }

    private void flush() {
        List<Integer> refused = new ArrayList<>();
        server.flush(new CopyingSender(this::look) {
            @Override
            public void close(int peer) {
                refused.add(peer);
            }
        });
        refused.forEach(peer -> server.onClosed(peer, null));
        closed.addAll(refused);
    }

    private void look(int peer, byte[] bytes) {
        var frame = new WireReader();
        var message = new WireReader();
        frame.open(bytes, 0, bytes.length);
        while (frame.more()) {
            int kind = frame.getByte();
            frame.slice(frame.getInt(), message);
            if (kind == Protocol.REFUSED) {
                message.getVar();
                refusals.add(message.getText("reason", Protocol.MAX_TEXT));
            } else if (kind == Protocol.CLOCKS) {
                for (int i = 0; i < 4; i++) {
                    durable = message.getVar();
                }
            } else if (kind == Protocol.ROW || kind == Protocol.BALL) {
                // Of ROW the table, the data clock and the sequence are said once, row and two versions of each row.
                int head = kind == Protocol.ROW ? 3 : 4;
                skip(message, head);
                do {
                    skip(message, 2);
                    boolean isWhole = message.getVar() == 0 || kind == Protocol.BALL;
                    var row = new Row(spec);
                    if (isWhole) {
                        row.read(message);
                    } else {
                        // A version that garbage asks for may be one that there was.
                        row.readColumns(message);
                    }
                    values.add(row.getLong(1));
                } while (message.more());
            }
        }
    }

    private static void skip(WireReader message, int numbers) {
        for (int i = 0; i < numbers; i++) {
            message.getVar();
        }
    }
}
