package io.leeway.benchmarks.hindex;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/*
 * A table that is larger than the memory of the machine would do the same, and take hours to fill. The system is asked ten
 * times a second to forget the files, so that what is read in between can be found for a tenth of a second at most; pages that
 * are not on the disk yet stay until they are. Who asks is not the server: none of this is in its CPU time.
 */
/** Keeps the files below a directory out of the system's file cache, so that who reads them reads from the disk. */
final class UncachedFiles implements AutoCloseable {

    private static final long PAUSE_MILLIS = 100;
    private static final long PATIENCE_MILLIS = 60_000;

    /** Advises the system that the whole file is not needed (posix_fadvise), without reading it. */
    private static final String FORGET =
            "for file; do dd if=\"$file\" iflag=nocache count=0 status=none 2>&1 || [ ! -e \"$file\" ] || exit 1; done";

    private final Path directory;
    private final Thread thread = new Thread(this::forgetUntilClosed, "uncached files");
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Exception failure;

    private UncachedFiles(Path directory) {
        this.directory = directory;
    }

    /** Begins; to be closed. */
    static UncachedFiles below(Path directory) throws IOException, InterruptedException {
        var files = new UncachedFiles(directory);
        files.forget();
        files.thread.setDaemon(true);
        files.thread.start();
        return files;
    }

    private void forgetUntilClosed() {
        try {
            while (!closing.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
                forget();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            failure = e;
        }
    }

    private void forget() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", FORGET, "sh"));
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                command.add(file.toString());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // Files come and go.
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(
                    "files cannot be kept out of the file cache; this needs dd of the GNU coreutils: " + said);
        }
    }

    /** Forgets the files once more, and ends. */
    @Override
    public void close() throws IOException, InterruptedException {
        closing.countDown();
        thread.join(PATIENCE_MILLIS);
        if (thread.isAlive()) {
            throw new IOException("dd does not end");
        }
        if (failure != null) {
            throw new IOException("files were read from the file cache for a time", failure);
        }
        forget();
    }
}
