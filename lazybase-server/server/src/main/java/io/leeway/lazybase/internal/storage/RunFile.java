package io.leeway.lazybase.internal.storage;

import com.google.common.cache.Cache;
import io.leeway.lazybase.internal.column.Chunks;
import io.leeway.lazybase.internal.column.KeyCodec;
import io.leeway.lazybase.internal.column.Keys;
import io.leeway.lazybase.internal.column.Vector;
import io.leeway.lazybase.internal.column.Zone;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A run in a file. What is decoded stays in a cache that all files share. Thread-safe.
 *
 * <p>Bytes that are not those that were written make any method throw {@link CorruptFileException}, which names the file.
 */
public final class RunFile implements SortedRun, AutoCloseable {

    private static final int KEYS = -1;
    private static final int FLAGS = -2;

    /** A decoded column, keys or flags in the cache. */
    record CacheKey(String file, int block, int what) {}

    /** A file whose bytes are not those that were written. */
    public static final class CorruptFileException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String file;

        /** With what is wrong. */
        public CorruptFileException(String file, Throwable cause) {
            super("file " + file + " is damaged: " + cause.getMessage(), cause);
            this.file = file;
        }

        /** Which file. */
        public String file() {
            return file;
        }
    }

    private final String name;
    private final Store.Reader in;
    private final RunFooter footer;
    private final KeyCodec codec;
    private final Cache<Object, Object> cache;

    /** Opens a file. */
    public RunFile(Store store, String name, KeyCodec codec, Cache<Object, Object> cache) throws IOException {
        this.name = name;
        this.codec = codec;
        this.cache = cache;
        this.in = store.open(name);
        try {
            this.footer = footer();
        } catch (RuntimeException | IOException e) {
            in.close();
            throw new CorruptFileException(name, e);
        }
    }

    private RunFooter footer() throws IOException {
        long size = in.size();
        if (size < RunWriter.MAGIC.length + RunWriter.TRAILER) {
            throw new CorruptFileException(name, new IOException("it is too short"));
        }
        ByteBuffer trailer = ByteBuffer.wrap(in.read(size - RunWriter.TRAILER, RunWriter.TRAILER));
        long position = trailer.getLong();
        int length = trailer.getInt();
        byte[] magic = new byte[8];
        trailer.get(magic);
        if (!Arrays.equals(magic, RunWriter.MAGIC) || position < 0 || length < 0 || position + length > size) {
            throw new CorruptFileException(name, new IOException("it does not end as it should"));
        }
        return RunFooter.of(Chunks.unpack(in.read(position, length), 0, length));
    }

    /** Name of the file. */
    public String name() {
        return name;
    }

    @Override
    public int blocks() {
        return footer.extents().size();
    }

    @Override
    public int rows(int block) {
        return footer.extents().get(block).rows();
    }

    @Override
    public byte[] minKey(int block) {
        return footer.extents().get(block).min();
    }

    @Override
    public byte[] maxKey(int block) {
        return footer.extents().get(block).max();
    }

    @Override
    public boolean isClean(int block) {
        return footer.extents().get(block).flagsLength() == 0;
    }

    @Override
    public long bytes(int block) {
        return footer.extents().get(block).bytes();
    }

    @Override
    public Keys keys(int block) {
        return (Keys) cached(block, KEYS, () -> codec.keys(rows(block), id -> column(block, id)));
    }

    @Override
    public byte @Nullable [] flags(int block) {
        return isClean(block) ? null : (byte[]) cached(block, FLAGS, () -> readFlags(block));
    }

    @Override
    public @Nullable Vector column(int block, int id) {
        int index = indexOf(id);
        return index < 0 ? null : (Vector) cached(block, index, () -> readColumn(block, index));
    }

    @Override
    public @Nullable Zone zone(int block, int id) {
        int index = indexOf(id);
        return index < 0 ? null : footer.extents().get(block).zones()[index];
    }

    private int indexOf(int id) {
        int[] ids = footer.ids();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] == id) {
                return i;
            }
        }
        return -1;
    }

    private Object cached(int block, int what, java.util.concurrent.Callable<Object> loader) {
        try {
            return cache.get(new CacheKey(name, block, what), loader);
        } catch (ExecutionException | com.google.common.util.concurrent.UncheckedExecutionException e) {
            throw corrupt(e.getCause() == null ? e : e.getCause());
        }
    }

    private RuntimeException corrupt(Throwable cause) {
        if (cause instanceof CorruptFileException same) {
            return same;
        }
        return new CorruptFileException(name, cause);
    }

    private byte[] readFlags(int block) throws IOException {
        RunFooter.Extent extent = footer.extents().get(block);
        return Chunks.unpack(in.read(extent.position(), extent.flagsLength()), 0, extent.flagsLength());
    }

    private Vector readColumn(int block, int index) throws IOException {
        RunFooter.Extent extent = footer.extents().get(block);
        long position = extent.position() + extent.flagsLength();
        for (int c = 0; c < index; c++) {
            position += extent.lengths()[c];
        }
        int length = extent.lengths()[index];
        return Chunks.decode(in.read(position, length), 0, length, footer.isLong()[index]);
    }

    /** The same run for one reader that goes through it once and leaves nothing in the cache. For one thread. */
    public SortedRun sequential() {
        return new Sequential();
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads and decodes a block as a whole and keeps the last one. */
    private final class Sequential implements SortedRun {

        private int current = -1;
        private Vector[] columns = {};
        private byte @Nullable [] flags;
        private @Nullable Keys keys;

        private void load(int block) {
            if (block == current) {
                return;
            }
            RunFooter.Extent extent = footer.extents().get(block);
            try {
                byte[] bytes = in.read(extent.position(), extent.bytes());
                int at = extent.flagsLength();
                flags = at == 0 ? null : Chunks.unpack(bytes, 0, at);
                columns = new Vector[footer.ids().length];
                for (int c = 0; c < columns.length; c++) {
                    columns[c] = Chunks.decode(bytes, at, extent.lengths()[c], footer.isLong()[c]);
                    at += extent.lengths()[c];
                }
            } catch (IOException | RuntimeException e) {
                throw corrupt(e);
            }
            current = block;
            keys = null;
        }

        @Override
        public int blocks() {
            return RunFile.this.blocks();
        }

        @Override
        public int rows(int block) {
            return RunFile.this.rows(block);
        }

        @Override
        public Keys keys(int block) {
            load(block);
            Keys made = keys;
            if (made == null) {
                made = codec.keys(rows(block), id -> column(block, id));
                keys = made;
            }
            return made;
        }

        @Override
        public byte[] minKey(int block) {
            return RunFile.this.minKey(block);
        }

        @Override
        public byte[] maxKey(int block) {
            return RunFile.this.maxKey(block);
        }

        @Override
        public boolean isClean(int block) {
            return RunFile.this.isClean(block);
        }

        @Override
        public byte @Nullable [] flags(int block) {
            load(block);
            return flags;
        }

        @Override
        public @Nullable Vector column(int block, int id) {
            load(block);
            int index = indexOf(id);
            return index < 0 ? null : columns[index];
        }

        @Override
        public @Nullable Zone zone(int block, int id) {
            return RunFile.this.zone(block, id);
        }

        @Override
        public long bytes(int block) {
            return RunFile.this.bytes(block);
        }
    }
}
