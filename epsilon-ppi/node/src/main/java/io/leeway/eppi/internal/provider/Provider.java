package io.leeway.eppi.internal.provider;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.Policy;
import io.leeway.eppi.Token;
import io.leeway.eppi.internal.config.Member;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.console.DidYouMean;
import io.leeway.eppi.internal.net.Connection;
import io.leeway.eppi.internal.net.Frame;
import io.leeway.eppi.internal.net.Kind;
import io.leeway.eppi.internal.net.Listener;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.Reading;
import io.leeway.eppi.internal.net.Writing;
import io.leeway.eppi.internal.session.Progress;
import io.leeway.eppi.node.EppiMetrics;
import io.leeway.eppi.node.EppiOptions;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A provider: takes part in constructions, and answers searches of members whom it allows to. */
public final class Provider implements AutoCloseable {

    private static final Logger LOG = System.getLogger(Provider.class.getName());
    private static final long BETWEEN_ATTEMPTS_MILLIS = 200;
    private static final long MOST_BETWEEN_ATTEMPTS_MILLIS = 5_000;

    /** What is known of the database. */
    private record Snapshot(Map<Token, List<String>> members, long atMillis) {}

    private final Settings settings;
    private final Net net;
    private final Clock clock;
    private final Database database;
    private final ProviderState state;
    private final AccessControl access;
    private final AccessLog log;
    private final Progress progress = new Progress();
    private final Listener listener;
    private final Thread thread;
    private volatile @Nullable Snapshot snapshot;
    private volatile @Nullable Connection open;
    private volatile boolean isClosed;
    /** What was counted in the epoch that is constructed, so that another attempt counts the same. */
    private @Nullable Membership membership;

    /** Starts it. */
    public Provider(Settings settings, Net net, Clock clock) {
        this.settings = settings;
        this.net = net;
        this.clock = clock;
        if (net.self().role() != Member.Role.PROVIDER) {
            throw EppiException.of(Code.CONFIGURATION, net.self() + " is no provider in the roster");
        }
        knowEverybody(settings.get(EppiOptions.ALLOW), net.roster());
        database = new Database(settings, networkKey(settings));
        Path directory = settings.path(EppiOptions.STATE);
        state = new ProviderState(directory);
        access = new AccessControl(settings.get(EppiOptions.ALLOW), settings.get(EppiOptions.RATE), clock);
        String logFile = settings.get(EppiOptions.ACCESS_LOG);
        log = new AccessLog(logFile.isEmpty() ? directory.resolve("access.log") : Path.of(logFile), clock);
        listener = net.listen(this::serve);
        thread = new Thread(this::takePart, "eppi-provider-" + net.self());
        thread.setDaemon(true);
        thread.start();
    }

    /** A name that is mistyped would only be noticed by who is refused. */
    private static void knowEverybody(List<String> allowed, Roster roster) {
        List<String> names = roster.names();
        List<String> unknown = allowed.stream()
                .filter(each -> !each.equals("*") && !names.contains(each))
                .map(each -> each + DidYouMean.hint(each, names))
                .toList();
        if (!unknown.isEmpty()) {
            throw EppiException.of(
                    Code.CONFIGURATION,
                    EppiOptions.ALLOW + " names who is not in the roster: " + String.join(", ", unknown));
        }
    }

    /** The secret of which pseudonyms are made. */
    public static byte[] networkKey(Settings settings) {
        Path file = settings.path(EppiOptions.NETWORK_KEY);
        try {
            byte[] key = Files.readAllBytes(file);
            if (key.length < 16) {
                throw EppiException.of(Code.CONFIGURATION, file + " has fewer than 16 bytes");
            }
            return key;
        } catch (IOException e) {
            throw EppiException.of(Code.CONFIGURATION, EppiOptions.NETWORK_KEY + "=" + file + " cannot be read", e);
        }
    }

    /** How far the construction is. */
    public Progress progress() {
        return progress;
    }

    /** Waits for constructions, one after the other, until it is closed. */
    private void takePart() {
        lookAtDatabase();
        String said = "";
        long pause = BETWEEN_ATTEMPTS_MILLIS;
        while (!isClosed) {
            try {
                waitAndConstruct();
                said = "";
                pause = BETWEEN_ATTEMPTS_MILLIS;
            } catch (EppiException e) {
                String now = String.valueOf(e.getMessage());
                boolean isNew = !now.equals(said);
                if (!isClosed && isNew) {
                    LOG.log(Level.WARNING, "{0}: {1}", net.self(), now);
                }
                // What stays the same, like another version, is neither said nor tried five times a second.
                pause = isNew ? BETWEEN_ATTEMPTS_MILLIS : Math.min(2 * pause, mostPause(e));
                said = now;
                pause(pause);
            } catch (RuntimeException e) {
                // It must not be the end of all constructions.
                LOG.log(Level.ERROR, "a fault of " + net.self(), e);
                pause(MOST_BETWEEN_ATTEMPTS_MILLIS);
            }
        }
    }

    /** A query that is wrong should be known before a construction needs it. The database may still come, so it is no end. */
    private void lookAtDatabase() {
        try {
            Map<Token, List<String>> members = members();
            LOG.log(Level.DEBUG, "{0} persons have records at {1}", members.size(), net.self());
        } catch (EppiException e) {
            LOG.log(Level.WARNING, "{0} cannot take part yet: {1}", net.self(), e.getMessage());
        }
    }

    /** A coordinator that only starts again should find its providers soon. */
    private static long mostPause(EppiException e) {
        return e.code() == Code.UNREACHABLE ? BETWEEN_ATTEMPTS_MILLIS : MOST_BETWEEN_ATTEMPTS_MILLIS;
    }

    private void waitAndConstruct() {
        try (Connection lead = net.dialOnce(net.roster().coordinators().get(0))) {
            open = lead;
            if (isClosed) {
                // Closed while it connected: whoever closed it saw no connection yet.
                return;
            }
            lead.takeSignsOfLife();
            lead.send(Kind.WAIT, new byte[0]);
            Reading start = lead.expect(Kind.START);
            byte[] session = start.bytes();
            long epoch = start.longNumber();
            long begin = System.nanoTime();
            try {
                progress.running(epoch, 1, "reads memberships", 0);
                participation(session, epoch).run();
                lead.limitWaits(net.timeout().multipliedBy(2));
                lead.expect(Kind.DONE);
                net.meters().add(EppiMetrics.CONSTRUCTIONS, "outcome=\"done\"", 1);
                net.meters().set(EppiMetrics.EPOCH, (double) epoch);
                progress.set(new Progress.State.Done(epoch, (System.nanoTime() - begin) / 1e9));
            } catch (EppiException e) {
                net.meters().add(EppiMetrics.CONSTRUCTIONS, "outcome=\"failed\"", 1);
                progress.set(new Progress.State.Failed(epoch, String.valueOf(e.getMessage())));
                lead.refuse(e);
                throw e;
            }
        } finally {
            open = null;
        }
    }

    /** What keeps this provider from taking part is told to all coordinators, so that none of them waits for it. */
    private Participation participation(byte[] session, long epoch) {
        try {
            state.noiseKey(epoch, settings.get(EppiOptions.STATE_FRESH));
            return new Participation(net, settings, state, progress, session, epoch, membership(epoch));
        } catch (EppiException e) {
            for (Member coordinator : net.roster().coordinators()) {
                try (Connection connection = net.dialOnce(coordinator)) {
                    connection.send(Kind.JOIN, new Writing().bytes(session).done());
                    connection.expect(Kind.PERSONS);
                    connection.refuse(e);
                } catch (EppiException gone) {
                    LOG.log(Level.DEBUG, "{0} cannot be told", coordinator);
                }
            }
            throw e;
        }
    }

    private Membership membership(long epoch) {
        Membership known = membership;
        if (known == null || known.epoch() != epoch) {
            snapshot = new Snapshot(database.members(), clock.millis());
            known = Membership.of(epoch, members().keySet(), state.counted());
            membership = known;
        }
        return known;
    }

    private Map<Token, List<String>> members() {
        Snapshot known = snapshot;
        long oldest =
                clock.millis() - settings.get(EppiOptions.DATABASE_REFRESH).toMillis();
        if (known == null || known.atMillis < oldest) {
            known = new Snapshot(database.members(), clock.millis());
            snapshot = known;
        }
        return known.members;
    }

    /** Answers searches on one connection. Who is not allowed learns nothing, not even whether there is something. */
    private void serve(Connection connection) {
        String searcher = connection.peer().name();
        while (true) {
            Frame frame = connection.receive();
            var in = new Reading(searcher, frame.payload());
            if (frame.kind() != Kind.SEARCH) {
                throw in.malformed("is of the kind " + frame.kind());
            }
            Token person = new Token(in.longNumber(), in.longNumber());
            in.end();
            refuseUnlessAllowed(searcher, person);
            connection.send(Kind.RECORDS, answer(searcher, person));
        }
    }

    /** Who asks too often is written down once a minute: nobody must be able to fill the disk with refusals. */
    private void refuseUnlessAllowed(String searcher, Token person) {
        int excess = access.excess(searcher);
        if (excess > 0) {
            count("limited");
            if (excess == 1) {
                log.write(searcher, person.toString(), "limited", 0);
            }
            throw EppiException.of(
                    Code.RATE, searcher + " may ask " + settings.get(EppiOptions.RATE) + " times a minute");
        }
        if (!access.isAllowed(searcher)) {
            count("denied");
            log.write(searcher, person.toString(), "denied", 0);
            throw EppiException.of(Code.DENIED, net.self() + " does not show its records to " + searcher);
        }
    }

    private byte[] answer(String searcher, Token person) {
        try {
            List<String> spellings = members().get(person);
            Database.Records records =
                    spellings == null ? new Database.Records(List.of(), List.of()) : database.records(spellings);
            log.write(searcher, person.toString(), "granted", records.rows().size());
            count("granted");
            return written(records);
        } catch (EppiException e) {
            count("failed");
            log.write(searcher, person.toString(), "failed", 0);
            LOG.log(Level.WARNING, "a search failed", e);
            throw EppiException.of(e.code(), "the database of " + net.self() + " does not answer");
        }
    }

    private void count(String outcome) {
        net.meters().add(EppiMetrics.SEARCHES, "outcome=\"" + outcome + "\"", 1);
    }

    private static byte[] written(Database.Records records) {
        var out = new Writing().number(records.columns().size());
        records.columns().forEach(out::text);
        out.number(records.rows().size());
        for (List<String> row : records.rows()) {
            row.forEach(value -> out.bytes(value.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        }
        return out.done();
    }

    /** Which policy a result was made with may be seen before noise is published. */
    static Policy policy(String text, String from) {
        try {
            return Policy.parse(text);
        } catch (IllegalArgumentException e) {
            throw EppiException.of(Code.MALFORMED, from + " names a policy that is none: " + text, e);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        listener.close();
        thread.interrupt();
        Connection waiting = open;
        if (waiting != null) {
            waiting.close();
        }
        database.close();
    }
}
