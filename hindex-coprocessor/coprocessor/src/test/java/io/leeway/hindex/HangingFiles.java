package io.leeway.hindex;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PositionedReadable;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.Seekable;

/** Local files, on a server that stops to answer when it is told to. Hadoop makes one for each URI; they stop together. */
public final class HangingFiles extends RawLocalFileSystem {

    static final String SCHEME = "hanging";

    private static volatile CountDownLatch gate = new CountDownLatch(0);
    private static volatile CountDownLatch closing = new CountDownLatch(0);

    static void hang() {
        gate = new CountDownLatch(1);
    }

    /** Only who closes a file waits. */
    static void hangToClose() {
        closing = new CountDownLatch(1);
    }

    static void answer() {
        gate.countDown();
        closing.countDown();
    }

    private static void pass() throws IOException {
        pass(gate);
    }

    private static void pass(CountDownLatch at) throws IOException {
        try {
            at.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    public URI getUri() {
        return URI.create(SCHEME + ":///");
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileStatus getFileStatus(Path file) throws IOException {
        pass();
        FileStatus local = super.getFileStatus(file);
        local.setPath(file);
        return local;
    }

    @Override
    public boolean exists(Path file) throws IOException {
        pass();
        return super.exists(file);
    }

    @Override
    public FSDataInputStream open(Path file, int buffer) throws IOException {
        pass();
        return new FSDataInputStream(new Slow(super.open(file, buffer)));
    }

    private static final class Slow extends FilterInputStream implements Seekable, PositionedReadable {

        private final FSDataInputStream local;

        Slow(InputStream local) {
            super(local);
            this.local = (FSDataInputStream) local;
        }

        @Override
        public void close() throws IOException {
            pass(closing);
            super.close();
        }

        @Override
        public int read() throws IOException {
            pass();
            return local.read();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            pass();
            return local.read(bytes, offset, length);
        }

        @Override
        public int read(long position, byte[] bytes, int offset, int length) throws IOException {
            pass();
            return local.read(position, bytes, offset, length);
        }

        @Override
        public void readFully(long position, byte[] bytes, int offset, int length) throws IOException {
            pass();
            local.readFully(position, bytes, offset, length);
        }

        @Override
        public void readFully(long position, byte[] bytes) throws IOException {
            pass();
            local.readFully(position, bytes);
        }

        @Override
        public void seek(long position) throws IOException {
            local.seek(position);
        }

        @Override
        public long getPos() throws IOException {
            return local.getPos();
        }

        @Override
        public boolean seekToNewSource(long position) throws IOException {
            return local.seekToNewSource(position);
        }
    }
}
