package io.leeway.lazybase.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.lazybase.LazyBaseCommand;
import io.leeway.testkit.JavaProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** In a process that was given no options of the virtual machine. */
class MachineOptionsTest {

    private static JavaProcess.Result start(Path directory) {
        return JavaProcess.run(
                System.getProperty("java.class.path"),
                LazyBaseCommand.class.getName(),
                "start",
                "--directory=" + directory,
                "--pg.port=0",
                "--web.port=-1",
                "--store.reserve=0B",
                "--flight.port=0");
    }

    @Test
    @EnabledForJreRange(max = JRE.JAVA_24)
    void whatIsMissingIsToldAtTheStart(@TempDir Path directory) {
        JavaProcess.Result result = start(directory);

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output())
                .contains("LAZYBASE-1001: Arrow needs of the Java virtual machine:"
                        + " --add-opens=java.base/java.nio=ALL-UNNAMED (bin/lazybase: LAZYBASE_JAVA_OPTIONS).");
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void newerOnesNeedTwoAndBothAreTold(@TempDir Path directory) {
        JavaProcess.Result result = start(directory);

        assertThat(result.exitCode()).isNotZero();
        assertThat(result.output())
                .contains("LAZYBASE-1001: Arrow needs of the Java virtual machine:"
                        + " --add-opens=java.base/java.nio=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"
                        + " (bin/lazybase: LAZYBASE_JAVA_OPTIONS).");
    }
}
