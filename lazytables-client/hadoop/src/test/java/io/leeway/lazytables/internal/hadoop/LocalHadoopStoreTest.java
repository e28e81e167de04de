package io.leeway.lazytables.internal.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.CellType;
import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesCommand;
import io.leeway.lazytables.LazyTablesException;
import io.leeway.lazytables.Table;
import io.leeway.lazytables.TableSpec;
import io.leeway.lazytables.Worker;
import io.leeway.lazytables.spi.SnapshotStore;
import io.leeway.lazytables.spi.SnapshotStoreContract;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Files of this machine, through Hadoop's file system for them. */
@EnabledForJreRange(
        max = JRE.JAVA_22,
        disabledReason = "Hadoop 3.4 asks Subject.getSubject who it is, which later ones refuse")
class LocalHadoopStoreTest extends SnapshotStoreContract {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path root;

    @Override
    protected SnapshotStore open(String place) throws IOException {
        return HadoopStore.open(location(place), new Configuration());
    }

    @Override
    protected SnapshotStore openToRead(String place) throws IOException {
        return HadoopStore.openToRead(location(place), new Configuration());
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
    void runMakesADirectoryForEachServer() throws IOException {
        create("run");
        String[] run = {
            "run",
            "--servers=2",
            "--processes=1",
            "--snapshot.directory=" + location("run"),
            "--main=" + CountingProgram.class.getName(),
            "--progress=none"
        };
        JavaProcess.Result result = JavaProcess.run(CLASS_PATH, LazyTablesCommand.class.getName(), run);

        assertThat(result.output()).contains("0: counted");
        assertThat(result.exitCode()).isZero();
        assertThat(names("run/server-0")).contains("owner-1");
        assertThat(names("run/server-1")).contains("owner-1");

        Files.move(root.resolve("run"), root.resolve("gone"));
        JavaProcess.Result again = JavaProcess.run(CLASS_PATH, LazyTablesCommand.class.getName(), run);
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.output())
                .contains("LAZY-1501", "There is no place for the snapshots of server 0", "is no directory; create it");
        assertThat(root.resolve("run")).doesNotExist();
    }

    /** What {@code run} starts. */
    static final class CountingProgram {

        private CountingProgram() {}

        public static void main(String[] arguments) {
            try (LazyTables tables = LazyTables.connect()) {
                Worker worker = tables.worker(0);
                worker.increment(tables.table("t", TableSpec.dense(CellType.LONG, 1)), 0, 0, 1);
                worker.clock();
                System.out.println("counted");
            }
        }
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
