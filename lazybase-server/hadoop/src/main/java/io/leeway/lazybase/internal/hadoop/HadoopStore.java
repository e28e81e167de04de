package io.leeway.lazybase.internal.hadoop;

import io.leeway.lazybase.spi.Store;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;

/**
 * Files of a directory of HDFS, or of this machine through Hadoop's own file system for it. These two do what a store promises: bytes are
 * on disks when a sync returns, a rename replaces a file in one step, and of two processes that create the same file one fails. Others
 * (object stores among them) lack one of these, so they are refused. Hadoop's local file system does not sync directories and does not
 * exclude processes; it is there for trying things out. Thread-safe.
 *
 * <p>A file whose writer was killed stays open in HDFS; what was synced can be read all the same. Only when its data nodes have been started
 * anew must the file be closed first, which is done by whoever opens it: no writer outlives its data nodes.
 */
final class HadoopStore implements Store {

    private static final Duration CLOSING = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 200;

    private final FileSystem files;
    private final Path directory;

    private HadoopStore(FileSystem files, Path directory) {
        this.files = files;
        this.directory = directory;
    }

    /** Opens {@code hdfs://} and {@code file://}. */
    public static final class Provider implements Store.Provider {

        /** For the loader of services. */
        public Provider() {}

        @Override
        public boolean opens(String location) {
            return location.startsWith("hdfs:") || location.startsWith("file:");
        }

        @Override
        public Store open(String location) throws IOException {
            return HadoopStore.open(location, new Configuration());
        }
    }

    /** Opens a directory with a connection of its own; it is made if it is not there. */
    static HadoopStore open(String location, Configuration configuration) throws IOException {
        try {
            var directory = new Path(location);
            FileSystem opened = FileSystem.newInstance(directory.toUri(), configuration);
            // Checksums in files of their own would be renamed apart from what they are of; runs have checksums within.
            FileSystem files = opened instanceof LocalFileSystem local ? local.getRaw() : opened;
            if (!(files instanceof DistributedFileSystem) && !(files instanceof RawLocalFileSystem)) {
                opened.close();
                throw new IOException(location + ": only HDFS and local files are durable and atomic enough");
            }
            files.mkdirs(directory);
            return new HadoopStore(files, directory);
        } catch (RuntimeException e) {
            // What Hadoop throws at a host that it cannot find, or a URI that it cannot read.
            throw new IOException(location + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private Path path(String name) {
        return new Path(directory, name);
    }

    @Override
    public Writer create(String name) throws IOException {
        try {
            FSDataOutputStream out =
                    files.createFile(path(name)).overwrite(false).build();
            if (!out.hasCapability(StreamCapabilities.HSYNC)) {
                out.close();
                throw new IOException(directory + " cannot sync files");
            }
            return new HadoopWriter(out);
        } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
            throw alike(new FileAlreadyExistsException(name), e);
        }
    }

    /** What callers of a store know, instead of what Hadoop has for it. */
    private static IOException alike(IOException known, IOException cause) {
        known.initCause(cause);
        return known;
    }

    @Override
    public Reader open(String name) throws IOException {
        try {
            return new HadoopReader(files.open(path(name)), path(name), files);
        } catch (FileNotFoundException e) {
            throw alike(new NoSuchFileException(name), e);
        } catch (IOException e) {
            if (!(files instanceof DistributedFileSystem hdfs) || hdfs.isFileClosed(path(name))) {
                throw e;
            }
            close(hdfs, path(name));
            return new HadoopReader(files.open(path(name)), path(name), files);
        }
    }

    /** Closes a file in a dead writer's stead. */
    private static void close(DistributedFileSystem hdfs, Path path) throws IOException {
        long until = System.nanoTime() + CLOSING.toNanos();
        while (!hdfs.recoverLease(path)) {
            if (System.nanoTime() > until) {
                throw new IOException(path + " was not closed within " + CLOSING.toSeconds() + " s");
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    @Override
    public void rename(String from, String to) throws IOException {
        if (files instanceof DistributedFileSystem hdfs) {
            hdfs.rename(path(from), path(to), Options.Rename.OVERWRITE);
        } else if (!files.rename(path(from), path(to))) {
            // The local one's renaming is the operating system's, which replaces.
            throw new IOException(from + " cannot be renamed to " + to);
        }
    }

    @Override
    public void delete(String name) throws IOException {
        files.delete(path(name), false);
    }

    @Override
    public List<String> list() throws IOException {
        var names = new ArrayList<String>();
        for (FileStatus file : files.listStatus(directory)) {
            names.add(file.getPath().getName());
        }
        return names;
    }

    @Override
    public long free() throws IOException {
        return files.getStatus(directory).getRemaining();
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    /** Appends to a stream. */
    private static final class HadoopWriter implements Writer {

        private final FSDataOutputStream out;
        private long size;

        HadoopWriter(FSDataOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            size += length;
        }

        @Override
        public void sync() throws IOException {
            out.hsync();
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** Reads at positions of a stream. */
    private record HadoopReader(FSDataInputStream in, Path path, FileSystem files) implements Reader {

        @Override
        public byte[] read(long position, int length) throws IOException {
            if (position + length > size()) {
                throw new EOFException(path + " ends before " + (position + length));
            }
            byte[] bytes = new byte[length];
            in.readFully(position, bytes);
            return bytes;
        }

        /** Of a file that is not closed the name node does not know the length; the data nodes do. */
        @Override
        public long size() throws IOException {
            return in instanceof HdfsDataInputStream hdfs
                    ? hdfs.getVisibleLength()
                    : files.getFileStatus(path).getLen();
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
