package io.leeway.lazytables.internal.upkeep;

import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Directories of this machine. */
class DirectoryStoreTest extends SnapshotStoreContract {

    @TempDir
    private Path root;

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
