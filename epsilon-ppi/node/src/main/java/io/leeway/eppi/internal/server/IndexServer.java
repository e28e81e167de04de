package io.leeway.eppi.internal.server;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.construct.Outcome;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Frame;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Listener;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.session.People;
import io.leeway.eppi.internal.session.Progress;
import io.leeway.eppi.internal.session.Secrets;
import io.leeway.eppi.node.EppiMetrics;
import io.leeway.eppi.node.EppiOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The index server: takes the providers' rows, shows the index to the coordinators, and serves it when all of them have
 * signed it. It is trusted with nothing: what it has is public among those who may ask, and what it leaves out is noticed.
 */
public final class IndexServer implements AutoCloseable {

    private static final int ID_BYTES = 32;

    private final Net net;
    private final Path file;
    private final Progress progress = new Progress();
    private final Listener listener;
    private volatile @Nullable PpiIndex index;
    private volatile @Nullable Building building;

    /** Starts it, with the index that it had. */
    public IndexServer(Settings settings, Net net) {
        this.net = net;
        if (net.self().role() != Member.Role.INDEX) {
            throw EppiException.of(Code.CONFIGURATION, net.self() + " is no index server in the roster");
        }
        file = settings.path(EppiOptions.STATE).resolve("index.eppi");
        if (Files.exists(file)) {
            serve(load());
        }
        listener = net.listen(this::serve);
    }

    private PpiIndex load() {
        try (InputStream in = Files.newInputStream(file)) {
            PpiIndex loaded = PpiIndex.read(in);
            loaded.verifyRoot(Roster.keys(net.roster().coordinators()));
            return loaded;
        } catch (IOException e) {
            throw EppiException.of(Code.FILE, file + " cannot be read", e);
        }
    }

    /**
     * The index that is served.
     *
     * @throws EppiException with {@link Code#NO_INDEX} before the first construction
     */
    public PpiIndex index() {
        PpiIndex served = index;
        if (served == null) {
            throw EppiException.of(Code.NO_INDEX, "nothing was constructed yet");
        }
        return served;
    }

    /** How far the index is that is built. */
    public Progress progress() {
        return progress;
    }

    /** Whether there is an index. */
    public boolean hasIndex() {
        return index != null;
    }

    private void serve(PpiIndex next) {
        index = next;
        int everywhere = 0;
        for (int i = 0; i < next.size(); i++) {
            everywhere += next.entry(i).frequency() == Outcome.EVERYWHERE ? 1 : 0;
        }
        net.meters().set(EppiMetrics.EPOCH, (double) next.header().epoch());
        net.meters().set(EppiMetrics.PERSONS, next.size());
        net.meters().set(EppiMetrics.EVERYWHERE, everywhere);
    }

    private void serve(Connection connection) {
        Frame first = connection.receive();
        var in = new Reading(connection.peer().name(), first.payload());
        switch (first.kind()) {
            case INDEX -> begin(connection, in);
            case ROW -> row(connection, in);
            case FETCH -> sign(connection, in);
            default -> throw in.malformed("is of the kind " + first.kind() + ", which begins nothing");
        }
    }

    private void begin(Connection lead, Reading in) {
        if (!lead.peer().equals(net.roster().coordinators().get(0))) {
            throw EppiException.of(Code.MALFORMED, lead.peer() + " must not begin an index");
        }
        long epoch = in.longNumber();
        byte[] session = in.bytes(ID_BYTES);
        byte[] register = in.bytes(ID_BYTES);
        String policy = in.text();
        Persons persons = People.read(new Reading(lead.peer().name(), in.bytes()));
        int[] frequency = in.numbers();
        in.end();
        PpiIndex before = index;
        if (before != null && epoch <= before.header().epoch()) {
            throw EppiException.of(
                    Code.EPOCH,
                    lead.peer() + " began epoch " + epoch + " where "
                            + before.header().epoch() + " was the last");
        }
        if (frequency.length != persons.size()) {
            throw in.malformed("has " + frequency.length + " frequencies for " + persons.size() + " persons");
        }
        List<String> names = net.roster().providers().stream().map(Member::name).toList();
        var header = new IndexHeader(net.roster().network(), epoch, session, register, policy, names);
        var next = new Building(net, header, persons, new Outcome(frequency));
        begin(next);
        long begin = System.nanoTime();
        try {
            lead.send(Kind.READY, new byte[0]);
            progress.running(epoch, 1, "rows of providers come", 0);
            next.awaitRows();
            lead.send(Kind.COMPLETE, new byte[0]);
            progress.running(epoch, 1, "coordinators check and sign", 0.5);
            PpiIndex signed = next.awaitSignatures();
            write(signed);
            serve(signed);
            progress.set(new Progress.State.Done(epoch, (System.nanoTime() - begin) / 1e9));
            lead.send(Kind.DONE, new byte[0]);
        } catch (EppiException e) {
            if (!(progress.state() instanceof Progress.State.Done)) {
                progress.set(new Progress.State.Failed(epoch, String.valueOf(e.getMessage())));
            }
            throw e;
        } finally {
            end(next);
        }
    }

    private synchronized void begin(Building next) {
        building = next;
    }

    /** The first coordinator may have begun another one, when this one was given up. */
    private synchronized void end(Building ended) {
        if (building == ended) {
            building = null;
        }
    }

    private void write(PpiIndex signed) {
        Secrets.write(file, file(signed));
    }

    /** An index as a file. */
    public static byte[] file(PpiIndex index) {
        var bytes = new ByteArrayOutputStream();
        try {
            index.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private Building building(Connection from, byte[] session) {
        Building now = building;
        if (now == null || !now.isCalled(session)) {
            throw EppiException.of(Code.REPLAYED, from.peer() + " means an index that is not built now");
        }
        return now;
    }

    private void row(Connection provider, Reading in) {
        if (provider.peer().role() != Member.Role.PROVIDER) {
            throw EppiException.of(Code.MALFORMED, provider.peer() + " is no provider");
        }
        Building now = building(provider, in.bytes(ID_BYTES));
        byte[] row = in.bytes();
        byte[] signature = in.bytes();
        in.end();
        now.row(provider.peer(), row, signature);
        provider.send(Kind.COMPLETE, new byte[0]);
    }

    private void sign(Connection coordinator, Reading in) {
        if (coordinator.peer().role() != Member.Role.COORDINATOR) {
            throw EppiException.of(Code.MALFORMED, coordinator.peer() + " is no coordinator");
        }
        Building now = building(coordinator, in.bytes(ID_BYTES));
        coordinator.send(Kind.FILE, now.file());
        Frame answer = coordinator.receive();
        if (answer.kind() != Kind.SIGNATURE) {
            throw EppiException.of(Code.MALFORMED, coordinator.peer() + " did not sign");
        }
        now.signature(coordinator.peer(), answer.payload());
        coordinator.send(Kind.DONE, new byte[0]);
    }

    /** What is signed: that a root belongs to a header. */
    static boolean isSigned(Member coordinator, PpiIndex index, byte[] signature) {
        return Digests.isSigned(
                coordinator.certificate().getPublicKey(), index.header().rootStatement(index.root()), signature);
    }

    @Override
    public void close() {
        listener.close();
    }
}
