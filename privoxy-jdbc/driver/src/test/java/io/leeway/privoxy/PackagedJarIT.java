package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.testkit.JavaProcess;
import io.leeway.testkit.PackagedJar;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The jar as users get it. */
class PackagedJarIT {

    @Test
    void holdsItsOwnClassesAndOneDriver() {
        PackagedJar.ofThisBuild()
                .hasClassesOnlyIn("io.leeway.privoxy")
                .hasNoModuleInfoOrVersions()
                .hasServices(Map.of(
                        "java.sql.Driver",
                        List.of(PrivoxyDriver.class.getName()),
                        "io.leeway.privoxy.internal.guard.GuardFactory",
                        List.of("io.leeway.privoxy.internal.guard.PolicyGuardFactory")))
                .isSmallerThan(2_500_000);
    }

    @Test
    void worksWithNothingButTheDatabasesDriver() throws Exception {
        String classPath = String.join(
                File.pathSeparator,
                PackagedJar.ofThisBuild().file().toString(),
                placeOf(org.h2.Driver.class),
                placeOf(BareProgram.class));

        JavaProcess.Result result = JavaProcess.run(classPath, BareProgram.class.getName());

        assertThat(result.output()).contains("allowed: Ada").contains("refused: 42501");
        assertThat(result.exitCode()).isZero();
    }

    private static String placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }
}
