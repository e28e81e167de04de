package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policy in force, and its replacement by a newer one without restart. Thread-safe.
 *
 * <p>While it is used, the files are looked at in an interval (one thread does it, the others go on), and on
 * {@link #reload}. A version that cannot be used changes nothing: the last good policy stays in force, which is what
 * "fails closed" means here. No query is ever decided without a policy or by half a policy, and nothing that the last
 * policy refuses becomes visible by a mistake in the next. The fault is logged once for each version of the files, and
 * told to the listener each time.
 *
 * <p>The price of the last good policy is that one who takes a right away by a file with a mistake has not taken it
 * away. It is logged as a warning and told to the listener for that reason.
 */
public final class PolicySource {

    private static final Logger LOG = System.getLogger(PolicySource.class.getName());

    private final List<String> locations;
    private final Loader loader;
    private final long intervalNanos;
    private final LongSupplier nanoTime;
    private final Listener listener;
    /** Whoever changes it looks; all others go on with what is in force. */
    private final AtomicLong lastLook;

    private volatile LoadedPolicy current;
    private List<Stamp> stamps;
    // The texts, not the files: after a change of the schema the policy in force is compiled anew, whatever is
    // being written to its files at that moment.
    private List<SourceText> inForce;
    private String lastFault = "";
    private String lastWarnings = "";

    private PolicySource(
            List<String> locations,
            Loader loader,
            Duration interval,
            LongSupplier nanoTime,
            Listener listener,
            Snapshot snapshot)
            throws InvalidPolicyException {
        this.locations = List.copyOf(locations);
        this.loader = loader;
        this.intervalNanos = interval.toNanos();
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.lastLook = new AtomicLong(nanoTime.getAsLong());
        this.stamps = snapshot.stamps;
        this.inForce = snapshot.content.sources();
        this.current = loader.load(inForce);
        warn(current);
    }

    /**
     * Loads a policy.
     *
     * <p>There is no last good policy yet, so a fault ends the connection attempt: without a policy nothing could be
     * decided.
     *
     * @param locations as {@link PolicyFiles} takes them
     * @param loader compiles it
     * @param interval how often the files are looked at; zero is never
     * @throws InvalidPolicyException if it cannot be used; there is then no last good one
     */
    public static PolicySource open(
            List<String> locations, Loader loader, Duration interval, LongSupplier nanoTime, Listener listener)
            throws InvalidPolicyException {
        return new PolicySource(locations, loader, interval, nanoTime, listener, Snapshot.of(locations));
    }

    /** The policy in force. Looks for a newer one if it is time to. */
    public LoadedPolicy current() {
        if (intervalNanos > 0) {
            long last = lastLook.get();
            long now = nanoTime.getAsLong();
            if (now - last >= intervalNanos && lastLook.compareAndSet(last, now)) {
                look();
            }
        }
        return current;
    }

    /** Whether {@link #current} would look at the files now. */
    public boolean isLookDue() {
        return intervalNanos > 0 && nanoTime.getAsLong() - lastLook.get() >= intervalNanos;
    }

    /**
     * Compiles the policy in force anew, because the schema has changed. What does not fit the schema any more has no
     * effect until it does: a view then shows nothing, which refuses more and never less.
     *
     * @throws SchemaUnavailableException if the schema cannot be read; what was compiled before must not be used then
     */
    public synchronized void recompile() {
        try {
            replaceBy(loader.loadWhatFits(inForce));
            // Everything that does not fit is left out, and the rest could be read before.
        } catch (InvalidPolicyException impossible) {
            throw new IllegalStateException("a policy that was in force cannot be read", impossible);
        }
    }

    /**
     * Loads the files now, changed or not.
     *
     * @return whether the policy could be loaded; if not, the last good one stays in force
     */
    public synchronized boolean reload() {
        return load(null);
    }

    /** Stamps first, as most looks find nothing. */
    private synchronized void look() {
        List<Stamp> now = stampsOf(stamps.stream().map(Stamp::path).toList());
        if (!now.equals(stamps)) {
            load(now);
        }
    }

    private boolean load(@Nullable List<Stamp> seen) {
        List<Stamp> before = stamps;
        try {
            Snapshot snapshot = Snapshot.of(locations);
            stamps = snapshot.stamps;
            replaceBy(loader.load(snapshot.content.sources()));
            inForce = snapshot.content.sources();
            return true;
        } catch (InvalidPolicyException e) {
            // The faulty version counts as looked at, so that it is not read and logged again with each look.
            stamps = seen == null ? stamps : seen;
            report(e);
        } catch (SchemaUnavailableException e) {
            // Not the files' fault: the next look tries again.
            // As if it had not been looked at.
            stamps = before;
            var position = new Position(String.join(",", locations), 1, 1);
            String message = String.valueOf(e.getMessage());
            report(new InvalidPolicyException(List.of(Finding.error(position, message, "Check the database."))));
        }
        return false;
    }

    private void replaceBy(LoadedPolicy loaded) {
        boolean changed = !loaded.hash().equals(current.hash());
        // Published at once for all; decisions that are under way finish by the one before.
        current = loaded;
        lastFault = "";
        LOG.log(
                Level.INFO,
                "privacy policy loaded: {0} views",
                loaded.policy().views().size());
        warn(loaded);
        listener.loaded(loaded, changed);
    }

    /** What was left out or looks wrong, once as long as it stays the same. */
    private void warn(LoadedPolicy loaded) {
        String text = loaded.warnings().stream()
                .filter(finding -> finding.severity() == Finding.Severity.WARNING)
                .map(Finding::toString)
                .collect(Collectors.joining("\n"));
        if (!text.isEmpty() && !text.equals(lastWarnings)) {
            LOG.log(Level.WARNING, "the privacy policy:\n{0}", text);
        }
        lastWarnings = text;
    }

    private void report(InvalidPolicyException fault) {
        String text = fault.getMessage();
        if (!lastFault.equals(text)) {
            lastFault = String.valueOf(text);
            LOG.log(
                    Level.WARNING,
                    "the changed privacy policy cannot be used, the one loaded before stays in force:\n{0}",
                    text);
        }
        listener.failed(fault);
    }

    private static List<Stamp> stampsOf(List<Path> paths) {
        var stamps = new ArrayList<Stamp>();
        for (Path path : paths) {
            stamps.add(Stamp.of(path));
        }
        return stamps;
    }

    /** Compiles a policy, with all that this takes. */
    @FunctionalInterface
    public interface Loader {

        /** A policy from the texts of its files. */
        LoadedPolicy load(List<SourceText> sources) throws InvalidPolicyException;

        /** The same, without what does not fit the schema. */
        default LoadedPolicy loadWhatFits(List<SourceText> sources) throws InvalidPolicyException {
            return load(sources);
        }
    }

    /** Is told what becomes of changed policies. Called under the source's lock, by the thread that looked. */
    public interface Listener {

        /** Does nothing. */
        Listener NONE = new Listener() {};

        /**
         * A policy came into force.
         *
         * @param changed whether it says anything else than the one before
         */
        default void loaded(LoadedPolicy policy, boolean changed) {}

        /** A policy cannot be used; the one before stays in force. */
        default void failed(InvalidPolicyException fault) {}
    }

    /**
     * Texts and stamps that belong together: the files did not change between the two.
     *
     * <p>A file that is written while it is read would be half of a policy. Read, stamp, read again: only if both texts
     * are the same do they belong to the stamps between them.
     */
    private record Snapshot(PolicyFiles.Content content, List<Stamp> stamps) {

        private static final int ATTEMPTS = 10;

        static Snapshot of(List<String> locations) throws InvalidPolicyException {
            PolicyFiles.Content content = PolicyFiles.read(locations);
            for (int attempt = 1; ; attempt++) {
                List<Stamp> stamps = stampsOf(content.watched());
                PolicyFiles.Content again = PolicyFiles.read(locations);
                if (again.equals(content) || attempt == ATTEMPTS) {
                    return new Snapshot(again, stamps);
                }
                content = again;
            }
        }
    }

    /**
     * What a file looked like.
     *
     * @param modified in nanoseconds since 1970 or as exact as the file system is; -1 if it is not there
     */
    private record Stamp(Path path, long modified, long size, String key) {

        static Stamp of(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stamp(
                        path,
                        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                        attributes.size(),
                        String.valueOf(attributes.fileKey()));
            } catch (NoSuchFileException e) {
                return new Stamp(path, -1, -1, "");
            } catch (IOException e) {
                return new Stamp(path, -2, -1, "");
            }
        }
    }
}
