package io.leeway.benchmarks.hindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UncachedFilesTest {

    private static final int SIZE = 8 << 20;

    @TempDir
    Path directory;

    @Test
    void whatIsReadComesFromTheDisk() throws Exception {
        assumeFalse(Files.getFileStore(directory).type().equals("tmpfs"), "there is no disk");
        Path file = Files.createDirectories(directory.resolve("table/region")).resolve("file of a store");
        write(file);

        long cached = diskBytesToRead(file);
        long uncached;
        try (UncachedFiles files = UncachedFiles.below(directory)) {
            uncached = diskBytesToRead(file);
        }
        long afterwards = diskBytesToRead(file);

        assertThat(cached).isLessThan(SIZE / 2);
        assertThat(uncached).isGreaterThanOrEqualTo(SIZE / 2);
        assertThat(afterwards).isGreaterThanOrEqualTo(SIZE / 2);
    }

    @Test
    void aDirectoryThatIsNotThereIsEmpty() throws Exception {
        Path nothing = directory.resolve("nothing");

        UncachedFiles.below(nothing).close();

        assertThat(nothing).doesNotExist();
    }

    private static void write(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(SIZE));
            // What is not on the disk yet cannot be forgotten.
            channel.force(true);
        }
    }

    private static long diskBytesToRead(Path file) throws IOException {
        Usage before = Usage.of(ProcessHandle.current());
        Files.readAllBytes(file);
        return Usage.of(ProcessHandle.current()).since(before).diskBytesRead();
    }
}
