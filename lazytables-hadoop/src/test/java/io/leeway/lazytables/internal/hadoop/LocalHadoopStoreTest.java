package io.leeway.lazytables.internal.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of this machine, through Hadoop's file system for them. */
class LocalHadoopStoreTest extends SnapshotStoreContract {

    @TempDir
    private Path root;

    @Override
    protected SnapshotStore open(String place) throws IOException {
        return HadoopStore.open(location(place), new Configuration());
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

    @Test
    void tablesOutliveTheInstance() throws IOException {
        create("a");
        for (int run = 0; run < 3; run++) {
            try (LazyTables tables = LazyTables.builder()
                    .option("lazytables.snapshot.directory", location("a"))
                    .option("lazytables.resume", "true")
                    .connect()) {
                Table table = tables.table("t", TableSpec.dense(CellType.LONG, 3));
                Worker worker = tables.worker(0);
                assertThat(worker.clocks()).isEqualTo(run);
                assertThat(worker.getLong(table, 7, 1)).isEqualTo(run);
                worker.increment(table, 7, 1, 1);
                worker.clock();
            }
        }
        assertThat(names("a")).contains("owner-3").doesNotContain("owner-1", "owner-2");
    }

    @Test
    void whatAnotherServerHasNotFinishedCannotBeRenamedAnyMore() throws IOException {
        create("a");
        try (SnapshotStore first = open("a")) {
            first.write("one", new byte[] {1});
            Files.write(root.resolve("a").resolve("two.unfinished-1"), new byte[5]);
            try (SnapshotStore second = open("a")) {
                assertThat(second.list()).containsExactly("one");
            }
            assertThat(names("a")).doesNotContain("two.unfinished-1");
        }
    }

    @Test
    void aNameIsNotWrittenTwice() throws IOException {
        create("a");
        try (SnapshotStore store = open("a")) {
            store.write("one", new byte[] {1});

            assertThatThrownBy(() -> store.write("one", new byte[] {2})).hasMessageContaining("is there already");
            assertThat(store.read("one")).containsExactly(1);
        }
    }

    @Test
    void aPlaceThatIsNotThereIsSaidAsForDirectories() {
        assertThatThrownBy(() -> LazyTables.builder()
                        .option("lazytables.snapshot.directory", location("no"))
                        .connect())
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("LAZY-1501")
                .hasMessageContaining("no is no directory; create it");
    }

    @Test
    void hostsAndSchemesThatAreUnknownAreSaid() {
        assertThatThrownBy(() -> LazyTables.builder()
                        .option("lazytables.snapshot.directory", "tape://robot/1")
                        .connect())
                .hasMessageContaining("LAZY-1501")
                .hasMessageContaining("opens locations of tape");
        assertThatThrownBy(() -> LazyTables.builder()
                        .option("lazytables.snapshot.directory", "hdfs://no-such-host.invalid:9/x")
                        .connect())
                .hasMessageContaining("LAZY-1501")
                .hasMessageContaining("no-such-host.invalid");
    }

    private String location(String place) {
        return "file://" + root.resolve(place);
    }

    private List<String> names(String place) throws IOException {
        try (Stream<Path> files = Files.list(root.resolve(place))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
