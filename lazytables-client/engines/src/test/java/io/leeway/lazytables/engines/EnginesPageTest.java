package io.leeway.lazytables.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.Test;

/** What the pages say of engines is what is tried here. */
class EnginesPageTest {

    private static final Path ROOT =
            Path.of(System.getProperty("leeway.root", "..")).toAbsolutePath();
    private static final Path EXAMPLES =
            ROOT.resolve("lazytables-client/engines/src/test/java/io/leeway/lazytables/engines");
    private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

    @Test
    void codeOfThePageIsCompiledAndRun() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/lazytables/engines.md"));
        String engines = page.substring(page.indexOf("\n## Attempts"));
        List<String> blocks = JAVA.matcher(engines)
                .results()
                .map(block -> block.group(1))
                .map(EnginesPageTest::onOneLine)
                .toList();

        assertThat(blocks).hasSize(3);
        assertThat(source("Regression")).contains(blocks.get(0));
        assertThat(source("FlinkRegression")).contains(blocks.get(1));
        assertThat(source("SparkRegression")).contains(blocks.get(2));
    }

    @Test
    void namesTheVersionsThatTheTestsRunIn() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/lazytables/engines.md"));
        String compatibility = Files.readString(ROOT.resolve("docs/reference/compatibility.md"));
        String flink = EnvironmentInformation.getVersion();
        String spark = org.apache.spark.package$.MODULE$.SPARK_VERSION();
        String hadoop = VersionInfo.getVersion();

        assertThat(page).contains("Flink " + flink, "Spark " + spark, "HDFS " + hadoop);
        assertThat(compatibility)
                .contains("| Flink | " + line(flink), "| Spark | " + line(spark), "| HDFS | " + line(hadoop));
    }

    private static String source(String example) throws IOException {
        return onOneLine(Files.readString(EXAMPLES.resolve(example + ".java")));
    }

    private static String onOneLine(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }

    private static String line(String version) {
        return version.substring(0, version.lastIndexOf('.'));
    }
}
