package io.leeway.lazybase.internal.storage;

import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that several processes share, one of which leads at a time. Whoever leads claims a term, which is a file that nobody else can
 * make; what he writes has the term in its name, so two leaders never write the same file. Whatever is to count is synced first, and only
 * then it is looked whether there is a later claim; whoever claims reads only after his claim is there. So what a former leader still
 * says to be durable was there before his successor began to read, however long he slept in between. Thread-safe.
 *
 * <p>It needs of the store what it shares that making a file fails if there is one, and that a file which was made is seen by all at
 * once. Local directories and HDFS do that; NFS does it only without its caches of names.
 */
public final class FencedStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(FencedStore.class);
    private static final Pattern NAME = Pattern.compile("t(\\d+)-(.*)");
    private static final String CLAIM = "claim-";

    private final Store shared;
    private final long term;
    private final Runnable onLoss;
    private final Map<String, Long> terms = new ConcurrentHashMap<>();
    private volatile boolean lost;

    private FencedStore(Store shared, long term, Runnable onLoss) {
        this.shared = shared;
        this.term = term;
        this.onLoss = onLoss;
    }

    /**
     * Claims the next term; from here on no other process's writes count.
     *
     * @param onLoss called, perhaps several times, when another process has claimed a later term
     * @throws IOException also if another process claims at the same moment
     */
    public static FencedStore claim(Store shared, Runnable onLoss) throws IOException {
        long term = 1 + claims(shared);
        try (Writer claim = shared.create(CLAIM + term)) {
            byte[] text = Long.toString(term).getBytes(StandardCharsets.US_ASCII);
            claim.write(text, 0, text.length);
            claim.sync();
        } catch (FileAlreadyExistsException e) {
            throw new IOException("another process has claimed term " + term, e);
        }
        var store = new FencedStore(shared, term, onLoss);
        store.readNames(true);
        return store;
    }

    /** What the leader would read, for those who only read; nothing must be written while it is used. */
    public static Store view(Store shared) throws IOException {
        long last = claims(shared);
        if (last == 0) {
            return shared;
        }
        var view = new FencedStore(shared, last, () -> {});
        view.readNames(false);
        return view;
    }

    /** The last term that was claimed; 0 if there was none: then one process has the store to itself. */
    public static long claims(Store shared) throws IOException {
        long last = 0;
        for (String name : shared.list()) {
            if (name.startsWith(CLAIM)) {
                last = Math.max(last, Long.parseLong(name.substring(CLAIM.length())));
            }
        }
        return last;
    }

    /** For a process that does a task for the leader of a term: it writes under the leader's names, and reads what the leader reads. */
    public static Store helper(Store shared, long term) throws IOException {
        var store = new FencedStore(shared, term, () -> {});
        store.readNames(false);
        return store;
    }

    /** Of files of the same name that of the latest term counts; the others are what a former leader left. */
    private void readNames(boolean tidy) throws IOException {
        for (String physical : shared.list()) {
            if (physical.startsWith(CLAIM)) {
                continue;
            }
            Matcher matcher = NAME.matcher(physical);
            boolean termed = matcher.matches();
            long of = termed ? Long.parseLong(matcher.group(1)) : 0;
            String name = termed ? matcher.group(2) : physical;
            Long known = terms.get(name);
            if (known != null && tidy) {
                shared.delete(physical(name, Math.min(known, of)));
            }
            terms.merge(name, of, Math::max);
        }
    }

    private static String physical(String name, long term) {
        return term == 0 ? name : "t" + term + "-" + name;
    }

    /** The term that was claimed. */
    public long term() {
        return term;
    }

    /** Throws if another process has claimed a later term. */
    private void check() throws IOException {
        if (!lost) {
            try (Reader later = shared.open(CLAIM + (term + 1))) {
                LOG.warn("term {} is over: another process leads, {} bytes say", term, later.size());
                lost = true;
            } catch (NoSuchFileException e) {
                return;
            }
        }
        onLoss.run();
        throw new IOException("another process leads since term " + (term + 1));
    }

    @Override
    public Writer create(String name) throws IOException {
        if (!terms.containsKey(name)) {
            // Names of this term are this process's alone: what is there was begun and not finished.
            shared.delete(physical(name, term));
        }
        Writer writer = shared.create(physical(name, term));
        terms.put(name, term);
        return new CheckedWriter(writer);
    }

    @Override
    public Reader open(String name) throws IOException {
        // What is not known was written by another process for this one.
        return shared.open(physical(name, terms.getOrDefault(name, term)));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        shared.rename(physical(from, term), physical(to, term));
        check();
        terms.remove(from);
        terms.put(to, term);
    }

    @Override
    public void delete(String name) throws IOException {
        if (lost) {
            check();
        }
        Long of = terms.remove(name);
        shared.delete(physical(name, of == null ? term : of));
    }

    @Override
    public List<String> list() {
        return List.copyOf(terms.keySet());
    }

    @Override
    public long free() throws IOException {
        return shared.free();
    }

    @Override
    public void close() throws IOException {
        shared.close();
    }

    /** Says that something is durable only if no later term was claimed before that. */
    private final class CheckedWriter implements Writer {

        private final Writer writer;

        CheckedWriter(Writer writer) {
            this.writer = writer;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            writer.write(bytes, from, length);
        }

        @Override
        public void sync() throws IOException {
            writer.sync();
            check();
        }

        @Override
        public long size() {
            return writer.size();
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
