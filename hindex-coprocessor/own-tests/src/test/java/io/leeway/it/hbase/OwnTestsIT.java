package io.leeway.it.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few classes of HBase's own tests pass with indexes on every table; the script runs all of the list. */
class OwnTestsIT {

    @TempDir
    private Path directory;

    @Test
    void theShortSelectionPasses() throws Exception {
        List<OwnTest> tests = OwnTest.all().stream().filter(OwnTest::isShort).toList();

        List<OwnTestResult> results = OwnTests.run(
                new OwnTests.Options(tests, 2, Duration.ofMinutes(10), Duration.ofMinutes(4), true, false, directory),
                System.out);

        assertThat(results).hasSameSizeAs(tests).allMatch(OwnTestResult::isGood);
    }
}
