package io.leeway.hindex.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.PackagedJar;
import io.leeway.testkit.hbase.HBaseCluster;
import io.leeway.testkit.hbase.TestClusters;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jar and the script around it, in a process of their own, with a running HBase. */
class HindexCommandIT {

    private static final long SECONDS = 120;

    @TempDir
    private Path folder;

    private record Ended(int code, String out) {}

    @Test
    void theScriptFindsHBaseByItsSiteFile() throws Exception {
        HBaseCluster cluster = TestClusters.light();
        TableName table =
                cluster.freshTable("people", people -> people.setColumnFamily(ColumnFamilyDescriptorBuilder.of("d")));
        Path site = folder.resolve("hbase-site.xml");
        try (var out = Files.newOutputStream(site)) {
            cluster.configuration().writeXml(out);
        }

        Ended created =
                script("create", table.getNameAsString(), "by_city", "columns=d:city:utf8", "--site", site.toString());
        assertThat(created.out()).contains("is complete and can be read");
        assertThat(created.code()).isZero();
        Ended mistake = script("lst");
        assertThat(mistake.out()).contains("hindex: there is no command lst, did you mean list? See: hindex --help");
        assertThat(mistake.code()).isEqualTo(2);
    }

    private Ended script(String... words) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("leeway.root"), "bin", "hindex").toString()));
        command.addAll(List.of(words));
        var builder = new ProcessBuilder(command);
        builder.environment().put("HINDEX_JAR", PackagedJar.ofThisBuild().file().toString());
        builder.environment().put("HINDEX_CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        File out = Files.createTempFile(folder, "out", ".txt").toFile();
        Process process = builder.redirectErrorStream(true).redirectOutput(out).start();
        try {
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS))
                    .as("it ends in time")
                    .isTrue();
            return new Ended(process.exitValue(), Files.readString(out.toPath()));
        } finally {
            process.destroyForcibly();
        }
    }
}
