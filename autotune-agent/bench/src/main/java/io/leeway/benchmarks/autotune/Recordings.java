package io.leeway.benchmarks.autotune;

import io.leeway.autotune.services.Mesh;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Recordings of faults in real applications, of which each is a random graph of services. They depend on the machine and on
 * the moment, so that they are kept, in an archive beside this class: whoever trains with it gets the same model again.
 */
final class Recordings {

    /** The model learns from these. */
    static final String LEARNT = "learnt";

    /** Other graphs; what models see was chosen while their results were looked at. */
    static final String UNSEEN = "unseen";

    /** Graphs that were drawn when all that had been chosen. */
    static final String DRAWN = "drawn";

    /** Of what is drawn: the first digits of the name of the last commit before, so that nobody chose it. */
    static final long DRAWN_SEED = 0x09f73352;

    private static final String KEPT = "recordings.zip";
    /** Zip has no time before. */
    private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private record Application(String directory, Mesh mesh, long seed) {}

    private Recordings() {}

    private static List<Application> applications() {
        var applications = new ArrayList<Application>();
        for (int i = 0; i < 9; i++) {
            String group = i < 5 ? LEARNT : i < 7 ? UNSEEN : DRAWN;
            long seed = (i < 7 ? 100 : DRAWN_SEED) + i;
            applications.add(new Application(group + "/application-" + i, Mesh.random(7 + i % 5, seed), i));
        }
        return applications;
    }

    /**
     * Makes them all anew, about ten minutes, and packs them. What is there in {@code LAB_RECORDINGS}, if it is set, is not
     * made again, so that what was interrupted goes on.
     */
    static void record(Path archive) throws IOException, InterruptedException {
        String given = System.getenv("LAB_RECORDINGS");
        Path directory = given == null ? Files.createTempDirectory("autotune-recordings-") : Path.of(given);
        for (Application application : applications()) {
            FaultRecorder.record(directory.resolve(application.directory()), application.mesh(), application.seed());
        }
        pack(directory, archive);
        System.out.println(archive + ": " + Files.size(archive) + " bytes, of " + directory);
    }

    private static void pack(Path directory, Path archive) throws IOException {
        try (OutputStream file = Files.newOutputStream(archive);
                var out = new ZipOutputStream(file);
                Stream<Path> files = Files.walk(directory)) {
            out.setLevel(Deflater.BEST_COMPRESSION);
            for (Path one : files.filter(Files::isRegularFile).sorted().toList()) {
                var entry = new ZipEntry(directory.relativize(one).toString());
                entry.setTimeLocal(NO_TIME);
                out.putNextEntry(entry);
                Files.copy(one, out);
            }
        }
    }

    /** A directory with those that are kept; who asks for it removes it. */
    static Path unpacked() throws IOException {
        Path directory = Files.createTempDirectory("autotune-recordings-");
        try (InputStream kept = Objects.requireNonNull(Recordings.class.getResourceAsStream(KEPT), KEPT);
                var in = new ZipInputStream(kept)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = directory.resolve(entry.getName()).normalize();
                if (!file.startsWith(directory)) {
                    throw new IOException(KEPT + " has a file outside of it: " + entry.getName());
                }
                Files.createDirectories(file.getParent());
                Files.copy(in, file);
            }
        }
        return directory;
    }

    /** Removes a directory. */
    static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
