package io.leeway.lazybase.internal.pipeline;

import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The coordinator's decisions, durable before anybody acts on them. A file of records, each with length and checksum; a new file begins
 * with the whole state and counts from the moment that {@code current} names it, which is a rename. What is torn at the end of a file was
 * never announced. For one thread at a time.
 */
final class StateLog implements AutoCloseable {

    /** The file that names the log. */
    static final String CURRENT = "current";

    private static final String TEMPORARY = "current.tmp";
    private static final int HEADER = 8;
    private static final long ROTATE_AT = 8L << 20;

    private final Store store;
    private State state;
    private long number;
    private long tried;
    private Store.@Nullable Writer out;

    /** Reads the log, if there is one, and begins a new file with what it says. */
    StateLog(Store store) throws IOException {
        this.store = store;
        String name = currentName(store);
        this.state = name == null ? State.EMPTY : replay(store, name);
        this.number = name == null ? 0 : Long.parseLong(name.substring("state-".length(), name.indexOf('.')));
        this.tried = number;
        rotate();
    }

    State state() {
        return state;
    }

    /** Names of its own files. */
    boolean owns(String file) {
        return file.equals(CURRENT) || file.equals(name(number));
    }

    private static String name(long number) {
        return "state-" + number + ".log";
    }

    /** What a log says, without beginning a new file. */
    static State read(Store store) throws IOException {
        String name = currentName(store);
        return name == null ? State.EMPTY : replay(store, name);
    }

    private static @Nullable String currentName(Store store) throws IOException {
        try (Store.Reader in = store.open(CURRENT)) {
            return new String(in.read(0, (int) in.size()), StandardCharsets.US_ASCII);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static State replay(Store store, String name) throws IOException {
        State replayed = State.EMPTY;
        try (Store.Reader in = store.open(name)) {
            long size = in.size();
            long at = 0;
            while (at + HEADER <= size) {
                ByteBuffer header = ByteBuffer.wrap(in.read(at, HEADER));
                int length = header.getInt();
                int crc = header.getInt();
                if (length <= 0 || at + HEADER + length > size) {
                    break;
                }
                byte[] bytes = in.read(at + HEADER, length);
                if (checksum(bytes) != crc) {
                    break;
                }
                replayed = replayed.with(EditCodec.of(bytes));
                at += HEADER + length;
            }
            if (at == 0) {
                throw new IOException(name + " does not begin with a state");
            }
        }
        return replayed;
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes, 0, bytes.length);
        return (int) crc.getValue();
    }

    /** Makes a decision durable. */
    void append(Edit edit) throws IOException {
        Store.Writer mine = out;
        if (mine == null || mine.size() > ROTATE_AT) {
            rotate();
            mine = out;
        }
        try {
            write(mine, edit);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // What lies at the end of that file is not known; nothing may come after it.
            close();
            throw e;
        }
        state = state.with(edit);
    }

    @SuppressWarnings("NullAway")
    private static void write(Store.@Nullable Writer to, Edit edit) throws IOException {
        byte[] bytes = EditCodec.bytes(edit);
        byte[] record = ByteBuffer.allocate(HEADER + bytes.length)
                .putInt(bytes.length)
                .putInt(checksum(bytes))
                .put(bytes)
                .array();
        to.write(record, 0, record.length);
        to.sync();
    }

    private void rotate() throws IOException {
        close();
        // A number is tried once: if a rename failed, it is not known which file counts.
        long next = ++tried;
        store.delete(name(next));
        store.delete(TEMPORARY);
        Store.Writer begun = store.create(name(next));
        try {
            write(begun, Edit.ofAll(state));
            try (Store.Writer pointer = store.create(TEMPORARY)) {
                byte[] name = name(next).getBytes(StandardCharsets.US_ASCII);
                pointer.write(name, 0, name.length);
                pointer.sync();
            }
            store.rename(TEMPORARY, CURRENT);
        } catch (IOException e) {
            begun.close();
            throw e;
        }
        out = begun;
        String superseded = name(number);
        number = next;
        store.delete(superseded);
    }

    @Override
    public void close() throws IOException {
        Store.Writer mine = out;
        out = null;
        if (mine != null) {
            mine.close();
        }
    }
}
