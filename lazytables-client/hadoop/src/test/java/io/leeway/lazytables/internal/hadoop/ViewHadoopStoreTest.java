package io.leeway.lazytables.internal.hadoop;

import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Files of this machine without Hadoop's checksums, seen through a mount table. */
@EnabledForJreRange(
        max = JRE.JAVA_22,
        disabledReason = "Hadoop 3.4 asks Subject.getSubject who it is, which later ones refuse")
class ViewHadoopStoreTest extends SnapshotStoreContract {

    @TempDir
    private Path root;

    private final Configuration configuration = new Configuration();

    @BeforeEach
    void mount() {
        configuration.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
        configuration.set("fs.viewfs.mounttable.tests.link./snapshots", "file://" + root);
    }

    @Override
    protected SnapshotStore open(String place) throws IOException {
        return HadoopStore.open("viewfs://tests/snapshots/" + place, configuration);
    }

    @Override
    protected SnapshotStore openToRead(String place) throws IOException {
        return HadoopStore.openToRead("viewfs://tests/snapshots/" + place, configuration);
    }

    @Override
    protected void create(String place) throws IOException {
        Files.createDirectory(root.resolve(place));
    }

    @Override
    protected void refuseWrites(String place) throws IOException {
        Files.move(root.resolve(place), root.resolve("away"));
    }

    @Override
    protected void allowWrites(String place) throws IOException {
        Files.move(root.resolve("away"), root.resolve(place));
    }
}
