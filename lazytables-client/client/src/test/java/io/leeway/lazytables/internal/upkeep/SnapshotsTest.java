package io.leeway.lazytables.internal.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTablesException;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots in a directory: which are kept, and what happens to those that are damaged. */
class SnapshotsTest {

    @TempDir
    private Path directory;

    @Test
    void theLastTwoAreKeptAndTheNewestIsFound() throws IOException {
        try (Snapshots snapshots = open()) {
            assertThat(snapshots.newest()).isNull();
            for (byte i = 1; i <= 4; i++) {
                snapshots.store(new byte[] {i});
            }
        }

        assertThat(files()).containsExactly("lock", "snapshot-000000000003", "snapshot-000000000004");
        assertThat(newest()).containsExactly(4);
    }

    /** Such as a copy that somebody has made by hand. */
    @Test
    void filesThatAreOnlyNamedAlikeAreLeftAlone() throws IOException {
        try (Snapshots snapshots = open()) {
            snapshots.store(new byte[] {1});
        }
        Files.copy(directory.resolve("snapshot-000000000001"), directory.resolve("snapshot-20261127"));

        assertThat(newest()).containsExactly(1);
        try (Snapshots snapshots = open()) {
            snapshots.newest();
            for (byte i = 2; i <= 4; i++) {
                snapshots.store(new byte[] {i});
            }
        }
        assertThat(files())
                .containsExactly("lock", "snapshot-000000000003", "snapshot-000000000004", "snapshot-20261127");
    }

    @Test
    void aNewestThatIsCutOrChangedIsPassedOverAndSaid() throws IOException {
        byte[] large = new byte[3_000_000];
        large[2_999_999] = 7;
        try (Snapshots snapshots = open()) {
            snapshots.store(large);
            snapshots.store(new byte[] {2});
        }
        Path newest = directory.resolve("snapshot-000000000002");
        byte[] whole = Files.readAllBytes(newest);

        try (LogCapture log = LogCapture.of(Snapshots.class.getName())) {
            for (int cut = 0; cut < whole.length; cut++) {
                Files.write(newest, Arrays.copyOf(whole, cut));
                assertThat(newest()).isEqualTo(large);
            }
            for (int i = 0; i < whole.length; i++) {
                byte[] changed = whole.clone();
                changed[i] ^= 0x10;
                Files.write(newest, changed);
                assertThat(newest()).isEqualTo(large);
            }
            assertThat(log.messages(Level.WARNING))
                    .hasSize(2 * whole.length)
                    .allSatisfy(message -> assertThat(message)
                            .contains("snapshot-000000000002 in " + directory + " was cut or changed"));
        }
    }

    @Test
    void whatFollowsADamagedOneIsNewerAndReplacesIt() throws IOException {
        try (Snapshots snapshots = open()) {
            snapshots.store(new byte[] {1});
            snapshots.store(new byte[] {2});
        }
        Files.write(directory.resolve("snapshot-000000000002"), new byte[5]);
        try (Snapshots snapshots = open()) {
            snapshots.newest();
            snapshots.store(new byte[] {3});
        }

        assertThat(files()).containsExactly("lock", "snapshot-000000000001", "snapshot-000000000003");
        assertThat(newest()).containsExactly(3);
    }

    @Test
    void whereNoneIsWholeTheServerDoesNotBegin() throws IOException {
        Files.write(directory.resolve("snapshot-000000000008"), new byte[50]);

        try (Snapshots snapshots = open()) {
            assertThatThrownBy(snapshots::newest)
                    .isInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("LAZY-1501")
                    .hasMessageContaining("None of the 1 snapshots in " + directory + " is whole");
        }
    }

    @Test
    void otherFilesAreLeftAloneAndUnfinishedOnesGo() throws IOException {
        Files.writeString(directory.resolve("notes.txt"), "mine");
        Files.write(directory.resolve("snapshot-000000000009.unfinished"), new byte[50]);

        try (Snapshots snapshots = open()) {
            assertThat(snapshots.newest()).isNull();
            snapshots.store(new byte[] {1});
        }

        assertThat(files()).containsExactly("lock", "notes.txt", "snapshot-000000000001");
    }

    @Test
    void aDirectoryThatIsNotThereOrIsNoneIsSaid() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        for (Path path : List.of(directory.resolve("no"), file)) {
            assertThatThrownBy(() -> Snapshots.open(path.toString()))
                    .isInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("LAZY-1501")
                    .hasMessageContaining(path + " is no directory; create it");
        }
    }

    @Test
    void aDirectoryIsOneServers() throws IOException {
        try (Snapshots first = open()) {
            first.store(new byte[] {1});
            assertThatThrownBy(this::open)
                    .isInstanceOf(LazyTablesException.class)
                    .hasMessageContaining("another server uses " + directory);
        }
        open().close();
    }

    @Test
    void aSchemeThatNobodyKnowsIsSaid() {
        assertThatThrownBy(() -> Snapshots.open("hdfs://name/path"))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("opens locations of hdfs");
    }

    private Snapshots open() {
        return Snapshots.open(directory.toString());
    }

    private byte @Nullable [] newest() {
        try (Snapshots snapshots = open()) {
            return snapshots.newest();
        }
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
