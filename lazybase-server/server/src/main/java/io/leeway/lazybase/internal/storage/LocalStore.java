package io.leeway.lazybase.internal.storage;

import io.leeway.lazybase.spi.Store;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Files in a local directory. Their names are made durable by syncing the directory. Thread-safe. */
public final class LocalStore implements Store {

    private final Path directory;

    /** Uses a directory, and makes it if it is not there. */
    public LocalStore(Path directory) throws IOException {
        Files.createDirectories(directory);
        this.directory = directory;
    }

    @Override
    public Writer create(String name) throws IOException {
        return new LocalWriter(
                FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    @Override
    public Reader open(String name) throws IOException {
        return new LocalReader(FileChannel.open(directory.resolve(name), StandardOpenOption.READ), name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Files.move(
                directory.resolve(from),
                directory.resolve(to),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        syncDirectory();
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    @Override
    public List<String> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Override
    public long free() throws IOException {
        return Files.getFileStore(directory).getUsableSpace();
    }

    @Override
    public void close() {
        // Nothing is held open but by readers and writers.
    }

    private void syncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Appends to a channel; the directory is synced with the first sync of the file. */
    private final class LocalWriter implements Writer {

        private final FileChannel channel;
        private long size;
        private boolean named;

        LocalWriter(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
            while (buffer.hasRemaining()) {
                size += channel.write(buffer);
            }
        }

        @Override
        public void sync() throws IOException {
            channel.force(false);
            if (!named) {
                syncDirectory();
                named = true;
            }
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Reads at positions of a channel. */
    private record LocalReader(FileChannel channel, String name) implements Reader {

        @Override
        public byte[] read(long position, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(length);
            while (buffer.hasRemaining()) {
                int count = channel.read(buffer, position + buffer.position());
                if (count < 0) {
                    throw new EOFException(name + " ends before " + (position + length));
                }
            }
            return buffer.array();
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
