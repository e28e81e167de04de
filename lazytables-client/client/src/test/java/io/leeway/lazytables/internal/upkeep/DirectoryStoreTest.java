package io.leeway.lazytables.internal.upkeep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories of this machine. */
class DirectoryStoreTest extends SnapshotStoreContract {

    @TempDir
    private Path root;

    @Test
    void aLinkInThePlaceOfAFileThatIsWrittenIsNotFollowed() throws IOException {
        Path other = Files.writeString(root.resolve("other"), "of somebody else");
        create("place");
        try (SnapshotStore store = open("place")) {
            Files.createSymbolicLink(root.resolve("place/snapshot.unfinished"), other);

            store.write("snapshot", new byte[] {1});

            assertThat(store.read("snapshot")).containsExactly(1);
        }
        assertThat(other).hasContent("of somebody else");
    }

    @Test
    void aLockThatWasRemovedIsTakenAgain() throws IOException {
        create("place");
        try (SnapshotStore store = open("place")) {
            Files.delete(root.resolve("place/lock"));
            store.write("snapshot", new byte[] {1});

            assertThatThrownBy(() -> open("place")).hasMessageContaining("another server uses");
        }
    }

    /** A system that has locks for processes takes one away when any channel of the file is closed. */
    @Test
    void whoIsRefusedHereLeavesTheLockToWhoHasIt() throws Exception {
        create("place");
        try (SnapshotStore store = open("place")) {
            assertThatThrownBy(() -> open("place")).hasMessageContaining("another server uses");
            assertThat(seenByAnotherProcess("place")).isEqualTo("another server uses");
            store.write("snapshot", new byte[] {1});
        }
        assertThat(seenByAnotherProcess("place")).isEqualTo("free");
        open("place").close();
    }

    private String seenByAnotherProcess(String place) throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Opens.class.getName(),
                        root.resolve(place).toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream said = other.getInputStream()) {
            return new String(said.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    /** Says whether another process could use a directory. */
    static final class Opens {

        private Opens() {}

        public static void main(String[] arguments) {
            try (SnapshotStore store = DirectoryStore.open(Path.of(arguments[0]))) {
                System.out.println(store.list() == null ? "" : "free");
            } catch (IOException e) {
                System.out.println(e.getMessage().contains("another server uses") ? "another server uses" : e);
            }
        }
    }

    /** Two that write would each remove what the other needs. */
    @Test
    void whoHasLostItsLockToAnotherWritesNothingMore() throws IOException {
        create("place");
        try (SnapshotStore first = open("place")) {
            Files.delete(root.resolve("place/lock"));
            try (SnapshotStore second = open("place")) {
                assertThatThrownBy(() -> first.write("snapshot", new byte[] {1}))
                        .hasMessageContaining("another server uses");
                assertThatThrownBy(() -> first.delete("snapshot")).hasMessageContaining("another server uses");
                second.write("snapshot", new byte[] {2});
            }
            assertThatThrownBy(() -> first.write("snapshot", new byte[] {1}))
                    .hasMessageContaining("another server has used");
        }
    }

    @Override
    protected SnapshotStore open(String place) throws IOException {
        return DirectoryStore.open(root.resolve(place));
    }

    @Override
    protected SnapshotStore openToRead(String place) throws IOException {
        return DirectoryStore.openToRead(root.resolve(place));
    }

    @Override
    protected void create(String place) throws IOException {
        Files.createDirectory(root.resolve(place));
    }

    /** As when a disk is not mounted any more. */
    @Override
    protected void refuseWrites(String place) throws IOException {
        Files.move(root.resolve(place), root.resolve("away"));
    }

    @Override
    protected void allowWrites(String place) throws IOException {
        Files.move(root.resolve("away"), root.resolve(place));
    }
}
