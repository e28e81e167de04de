package io.leeway.eppi.internal.session;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.Register;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.construct.Persons;
import io.leeway.eppi.internal.index.Digests;
import io.leeway.eppi.internal.index.IndexHeader;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.mpc.Profile;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Frame;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Listener;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.node.EppiMetrics;
import io.leeway.eppi.node.EppiOptions;
import java.io.ByteArrayInputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator. The one with the number 0 begins constructions when told to; the others follow, after they have compared
 * its parameters with their own. It has no other rights: what it could change, the others would see.
 */
public final class Coordinator implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Coordinator.class.getName());
    private static final int NONCE_BYTES = 32;
    private static final int COIN_KEY_BYTES = 16;
    private static final long GRACE_MILLIS = 5_000;
    private static final long MOST_BEAT_MILLIS = 1_000;

    /** After these a new attempt may go well. */
    private static final Set<Code> PASSING = Set.of(
            Code.GONE,
            Code.TIMEOUT,
            Code.UNREACHABLE,
            Code.PROVIDERS,
            Code.COORDINATORS,
            Code.REPLAYED,
            Code.CERTIFICATE);

    /** A provider that waits for the next construction. */
    private record Waiting(Connection connection, CountDownLatch over) {}

    private final Settings settings;
    private final Net net;
    private final Path state;
    private final byte[] coinKey;
    private final Progress progress = new Progress();
    private final Listener listener;
    private final Map<String, Waiting> waiting = new ConcurrentHashMap<>();
    private final ReentrantLock constructing = new ReentrantLock();
    private final AtomicReference<@Nullable Session> running = new AtomicReference<>();
    private volatile boolean isClosed;
    /** The epoch that the last construction began. */
    private volatile long begun;

    /** Starts it. */
    public Coordinator(Settings settings, Net net) {
        this.settings = settings;
        this.net = net;
        if (net.self().role() != Member.Role.COORDINATOR) {
            throw EppiException.of(Code.CONFIGURATION, net.self() + " is no coordinator in the roster");
        }
        int coordinators = net.roster().coordinators().size();
        if (settings.get(EppiOptions.PROFILE) == Profile.HONEST_MAJORITY && coordinators != 3) {
            throw EppiException.of(
                    Code.CONFIGURATION,
                    EppiOptions.PROFILE + "=honest-majority needs three coordinators, the roster has " + coordinators
                            + "; full-threshold takes any number");
        }
        state = settings.path(EppiOptions.STATE);
        coinKey = Secrets.kept(state.resolve("coin.key"), COIN_KEY_BYTES);
        listener = net.listen(this::serve);
    }

    /** How far it is. */
    public Progress progress() {
        return progress;
    }

    /** Names of the providers that wait for a construction. */
    public Set<String> waiting() {
        return new TreeSet<>(waiting.keySet());
    }

    /** The epoch of the last construction; 0 before the first. */
    public long epoch() {
        Path file = state.resolve("epoch");
        try {
            return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
        } catch (java.io.IOException | NumberFormatException e) {
            throw EppiException.of(Code.STATE, file + " cannot be read", e);
        }
    }

    private void rememberEpoch(long epoch) {
        Secrets.write(
                state.resolve("epoch"), Long.toString(epoch).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    private void serve(Connection connection) {
        Frame first = connection.receive();
        var in = new Reading(connection.peer().name(), first.payload());
        switch (first.kind()) {
            case WAIT -> wait(connection);
            case JOIN -> {
                session(connection, Member.Role.PROVIDER, in.bytes(Digests.BYTES))
                        .join(connection);
                untilSessionEnds();
            }
            case LINK -> {
                session(connection, Member.Role.COORDINATOR, first.payload()).link(connection);
                untilSessionEnds();
            }
            case OPEN -> follow(connection, Parameters.read(in));
            default -> throw in.malformed("is of the kind " + first.kind() + ", which begins nothing");
        }
    }

    private Session session(Connection connection, Member.Role role, byte[] id) {
        Session session = running.get();
        if (connection.peer().role() != role) {
            throw EppiException.of(Code.MALFORMED, connection.peer() + " does what its role does not allow");
        }
        if (session == null || !session.isCalled(id)) {
            throw EppiException.of(
                    Code.REPLAYED, connection.peer() + " takes part in a construction that does not run");
        }
        return session;
    }

    /** The session's thread has the connection now; this one only keeps it open. */
    private void untilSessionEnds() {
        Session session = running.get();
        while (session != null && session == running.get() && !isClosed) {
            pause(20);
        }
    }

    private void wait(Connection connection) {
        Member provider = connection.peer();
        if (net.self().number() != 0 || provider.role() != Member.Role.PROVIDER) {
            throw EppiException.of(Code.MALFORMED, provider + " waits where it has nothing to wait for");
        }
        var entry = new Waiting(connection, new CountDownLatch(1));
        Waiting before = waiting.put(provider.name(), entry);
        if (before != null) {
            before.connection.close();
        }
        try {
            long beat = Math.max(1, Math.min(MOST_BEAT_MILLIS, net.timeout().toMillis() / 4));
            while (!entry.over.await(beat, TimeUnit.MILLISECONDS)) {
                connection.send(Kind.ALIVE, new byte[0]);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.remove(provider.name(), entry);
        }
    }

    /**
     * Constructs an index, with as many attempts as are allowed. Only the first coordinator can.
     *
     * @return the new epoch
     * @throws EppiException why there is no new index
     */
    public long construct() {
        if (net.self().number() != 0) {
            throw EppiException.of(
                    Code.CONFIGURATION, "only " + net.roster().coordinators().get(0) + " begins constructions");
        }
        if (!constructing.tryLock()) {
            throw EppiException.of(Code.ABORTED, "a construction runs already");
        }
        long begin = System.nanoTime();
        try {
            long epoch = attempt();
            double seconds = (System.nanoTime() - begin) / 1e9;
            net.meters().add(EppiMetrics.CONSTRUCTIONS, "outcome=\"done\"", 1);
            net.meters().add(EppiMetrics.CONSTRUCTION_SECONDS, seconds);
            progress.set(new Progress.State.Done(epoch, seconds));
            return epoch;
        } catch (EppiException e) {
            throw failed(e);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a fault while constructing", e);
            throw failed(EppiException.of(Code.INTERNAL, "a fault of " + net.self(), e));
        } finally {
            constructing.unlock();
        }
    }

    private EppiException failed(EppiException reason) {
        net.meters().add(EppiMetrics.CONSTRUCTIONS, "outcome=\"failed\"", 1);
        progress.set(new Progress.State.Failed(begun, String.valueOf(reason.getMessage())));
        return reason;
    }

    /** An attempt that came so far that its epoch was remembered is followed by one of the next epoch. */
    private long attempt() {
        for (int attempt = 1; ; attempt++) {
            long epoch = epoch() + 1;
            begun = epoch;
            try {
                lead(epoch, attempt);
                return epoch;
            } catch (EppiException e) {
                if (!PASSING.contains(e.code()) || attempt == settings.get(EppiOptions.ATTEMPTS) || isClosed) {
                    throw e;
                }
                LOG.log(Level.WARNING, "attempt {0} of epoch {1} was given up: {2}", attempt, epoch, e.getMessage());
            }
        }
    }

    private Register register() {
        Member registrar = net.roster().all(Member.Role.REGISTRAR).get(0);
        return Register.read(
                settings.path(EppiOptions.REGISTER),
                net.roster().network(),
                registrar.certificate().getPublicKey());
    }

    private void lead(long epoch, int attempt) {
        progress.running(epoch, attempt, "coordinators agree", 0);
        Register register = register();
        var parameters = Parameters.of(settings, epoch, register.digest());
        var real = Persons.of(register.wishes(), parameters.classSize());
        Opening own = Opening.drawn(real, settings.get(EppiOptions.DECOYS));
        List<Connection> followers = new ArrayList<>();
        List<Waiting> chosen = List.of();
        try {
            List<Opening> openings = open(parameters, own, followers);
            byte[] id = Opening.sessionOf(parameters, openings);
            chosen = awaitWaiting();
            var session = new Session(
                    net,
                    parameters,
                    id,
                    coinKey,
                    real,
                    Opening.decoysOf(openings),
                    (step, share) -> progress.running(epoch, attempt, step, share));
            running.set(session);
            try (session) {
                run(session, parameters, id, real, openings, followers, chosen);
            } catch (EppiException e) {
                EppiException reason = reason(e, followers);
                session.refuse(reason);
                throw reason;
            } finally {
                running.compareAndSet(session, null);
            }
        } catch (EppiException e) {
            chosen.forEach(each -> each.connection.refuse(e));
            followers.forEach(each -> each.refuse(e));
            throw e;
        } finally {
            followers.forEach(Connection::close);
            chosen.forEach(each -> each.over.countDown());
        }
    }

    private void run(
            Session session,
            Parameters parameters,
            byte[] id,
            Persons real,
            List<Opening> openings,
            List<Connection> followers,
            List<Waiting> chosen) {
        byte[] begin = Opening.written(openings);
        for (Connection follower : followers) {
            follower.send(Kind.BEGIN, begin);
        }
        for (Connection follower : followers) {
            follower.expect(Kind.READY);
        }
        // Only now does every coordinator know the session; one that began earlier would be turned away by the others.
        for (Connection follower : followers) {
            follower.send(Kind.START, new byte[0]);
        }
        byte[] start = new Writing().bytes(id).longNumber(parameters.epoch()).done();
        chosen.forEach(each -> each.connection.send(Kind.START, start));
        int[] frequency = session.compute();
        try (Connection index = net.dial(net.roster().index())) {
            IndexHeader header = header(parameters, id);
            index.send(
                    Kind.INDEX,
                    new Writing()
                            .longNumber(parameters.epoch())
                            .bytes(id)
                            .bytes(parameters.register())
                            .text(parameters.policy())
                            .bytes(People.written(real))
                            .numbers(ofReal(session, real, frequency))
                            .done());
            index.expect(Kind.READY);
            session.tell(frequency);
            index.expect(Kind.COMPLETE);
            // Before it can be served: who is killed from here on must not begin the same epoch again.
            rememberEpoch(parameters.epoch());
            followers.forEach(each -> each.send(Kind.SIGN, new byte[0]));
            sign(header, real, ofReal(session, real, frequency));
            // Who dropped out is noticed here at once; the index server would wait for its signature.
            for (Connection follower : followers) {
                follower.expect(Kind.DONE);
            }
            index.expect(Kind.DONE);
        }
        net.meters().set(EppiMetrics.EPOCH, (double) parameters.epoch());
        for (Connection follower : followers) {
            follower.send(Kind.DONE, new byte[0]);
        }
        chosen.forEach(each -> each.connection.send(Kind.DONE, new byte[0]));
    }

    private static int[] ofReal(Session session, Persons real, int[] frequency) {
        int[] result = new int[real.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = frequency[session.number(real.token(i))];
        }
        return result;
    }

    private IndexHeader header(Parameters parameters, byte[] id) {
        List<String> names = net.roster().providers().stream().map(Member::name).toList();
        return new IndexHeader(
                net.roster().network(), parameters.epoch(), id, parameters.register(), parameters.policy(), names);
    }

    /** What another coordinator says is more to the point than that its connection ended. */
    private static EppiException reason(EppiException own, List<Connection> followers) {
        if (own.code() != Code.GONE && own.code() != Code.TIMEOUT) {
            return own;
        }
        for (Connection follower : followers) {
            try {
                follower.limitWaits(java.time.Duration.ofMillis(GRACE_MILLIS));
                follower.receive();
            } catch (EppiException said) {
                if (said.code() != Code.GONE && said.code() != Code.TIMEOUT) {
                    return said;
                }
            }
        }
        return own;
    }

    private List<Opening> open(Parameters parameters, Opening own, List<Connection> followers) {
        List<Opening> openings = new ArrayList<>(List.of(own));
        for (Member other : net.roster().coordinators()) {
            if (other.number() > 0) {
                try {
                    Connection follower = net.dial(other);
                    followers.add(follower);
                    follower.send(Kind.OPEN, parameters.written());
                    openings.add(Opening.read(follower.expect(Kind.READY)));
                } catch (EppiException e) {
                    throw e.code() == Code.UNREACHABLE
                            ? EppiException.of(Code.COORDINATORS, other + " is missing", e)
                            : e;
                }
            }
        }
        return openings;
    }

    private List<Waiting> awaitWaiting() {
        List<Member> providers = net.roster().providers();
        long deadline = System.nanoTime() + net.timeout().toNanos();
        while (true) {
            Map<String, Waiting> now = new HashMap<>(waiting);
            if (now.size() == providers.size()) {
                return List.copyOf(now.values());
            }
            if (System.nanoTime() > deadline || isClosed) {
                List<String> missing = providers.stream()
                        .map(Member::name)
                        .filter(name -> !now.containsKey(name))
                        .toList();
                throw EppiException.of(Code.PROVIDERS, "these do not wait: " + String.join(", ", missing));
            }
            pause(20);
        }
    }

    private void follow(Connection lead, Parameters parameters) {
        if (!lead.peer().equals(net.roster().coordinators().get(0))) {
            throw EppiException.of(Code.MALFORMED, lead.peer() + " must not begin a construction");
        }
        Register register = register();
        parameters.mustEqual(
                Parameters.of(settings, parameters.epoch(), register.digest()),
                net.self().name());
        if (parameters.epoch() <= epoch()) {
            throw EppiException.of(
                    Code.EPOCH,
                    lead.peer() + " began epoch " + parameters.epoch() + " where " + epoch() + " was the last");
        }
        var real = Persons.of(register.wishes(), parameters.classSize());
        Opening own = Opening.drawn(real, settings.get(EppiOptions.DECOYS));
        lead.send(Kind.READY, own.written());
        List<Opening> openings = Opening.readAll(lead.expect(Kind.BEGIN));
        if (openings.size() != net.roster().coordinators().size()
                || !openings.get(net.self().number()).isSame(own)) {
            throw EppiException.of(Code.DISAGREEMENT, lead.peer() + " leaves out what " + net.self() + " drew");
        }
        byte[] id = Opening.sessionOf(parameters, openings);
        long epoch = parameters.epoch();
        var session = new Session(
                net,
                parameters,
                id,
                coinKey,
                real,
                Opening.decoysOf(openings),
                (step, share) -> progress.running(epoch, 1, step, share));
        running.set(session);
        try (session) {
            lead.send(Kind.READY, new byte[0]);
            lead.expect(Kind.START);
            int[] frequency = session.compute();
            session.tell(frequency);
            lead.limitWaits(net.timeout().multipliedBy(2));
            lead.expect(Kind.SIGN);
            rememberEpoch(epoch);
            sign(header(parameters, id), real, ofReal(session, real, frequency));
            lead.send(Kind.DONE, new byte[0]);
            lead.expect(Kind.DONE);
            net.meters().set(EppiMetrics.EPOCH, (double) epoch);
            progress.set(new Progress.State.Done(epoch, 0));
        } catch (EppiException e) {
            session.refuse(e);
            progress.set(new Progress.State.Failed(epoch, String.valueOf(e.getMessage())));
            throw e;
        } finally {
            running.compareAndSet(session, null);
        }
    }

    /** Fetches the index, compares it with what was computed and with what the providers signed, and signs it. */
    private void sign(IndexHeader expected, Persons real, int[] frequency) {
        try (Connection server = net.dial(net.roster().index())) {
            server.takeAll();
            server.send(Kind.FETCH, new Writing().bytes(expected.session()).done());
            Frame file = server.receive();
            if (file.kind() != Kind.FILE) {
                throw EppiException.of(Code.MALFORMED, server.peer() + " sent no index");
            }
            PpiIndex index = PpiIndex.read(new ByteArrayInputStream(file.payload()));
            check(index, expected, real, frequency);
            index.verifyRows(Roster.keys(net.roster().providers()));
            byte[] statement = expected.rootStatement(index.root());
            server.send(Kind.SIGNATURE, Digests.sign(net.key().key(), statement));
            server.expect(Kind.DONE);
        }
    }

    private static void check(PpiIndex index, IndexHeader expected, Persons real, int[] frequency) {
        boolean isSame = Arrays.equals(index.header().digest(), expected.digest()) && index.size() == real.size();
        for (int i = 0; isSame && i < real.size(); i++) {
            isSame = index.entry(i).token().equals(real.token(i))
                    && index.entry(i).epsilon() == real.epsilon(i)
                    && index.entry(i).frequency() == frequency[i];
        }
        if (!isSame) {
            throw EppiException.of(Code.DISAGREEMENT, "the index is not that of this construction");
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw EppiException.of(Code.ABORTED, "interrupted", e);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        listener.close();
    }

    /** The tokens of decoys never leave the coordinators before they are shown to be some. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
    record Opening(byte[] nonce, Map<Token, Double> decoys) {

        static Opening drawn(Persons real, int count) {
            return new Opening(Secrets.random(NONCE_BYTES), People.decoys(real, count, Secrets.source()));
        }

        byte[] written() {
            return new Writing()
                    .bytes(nonce)
                    .bytes(People.written(Persons.ofClasses(decoys)))
                    .done();
        }

        static Opening read(Reading in) {
            byte[] nonce = in.bytes(NONCE_BYTES);
            Persons persons = People.read(new Reading("a coordinator", in.bytes()));
            Map<Token, Double> decoys = new HashMap<>();
            for (int i = 0; i < persons.size(); i++) {
                decoys.put(persons.token(i), persons.epsilon(i));
            }
            return new Opening(nonce, decoys);
        }

        boolean isSame(Opening other) {
            return Arrays.equals(nonce, other.nonce) && decoys.equals(other.decoys);
        }

        static byte[] written(List<Opening> openings) {
            var out = new Writing().number(openings.size());
            openings.forEach(each -> out.bytes(each.written()));
            return out.done();
        }

        static List<Opening> readAll(Reading in) {
            int count = in.count(NONCE_BYTES);
            List<Opening> openings = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                openings.add(read(new Reading("a coordinator", in.bytes())));
            }
            return openings;
        }

        static byte[] sessionOf(Parameters parameters, List<Opening> openings) {
            return Digests.of("eppi-session", parameters.written(), written(openings));
        }

        static Map<Token, Double> decoysOf(List<Opening> openings) {
            Map<Token, Double> all = new HashMap<>();
            openings.forEach(each -> all.putAll(each.decoys));
            return all;
        }
    }
}
