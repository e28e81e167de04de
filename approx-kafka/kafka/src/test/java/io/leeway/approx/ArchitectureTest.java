package io.leeway.approx;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.leeway.approx");

    @Test
    void theProtocolSeesNothingButTheJdkAndNeitherClocksNorThreads() {
        noClasses()
                .that()
                .resideInAPackage("io.leeway.approx.atp..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.netty..",
                        "org.apache..",
                        "io.leeway.approx.internal..",
                        "java.net..",
                        "java.nio..",
                        "java.util.concurrent..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.leeway.approx.atp..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callConstructor(java.util.Random.class)
                .check(CLASSES);
    }

    @Test
    void algorithmsSeeNoHostAndNoNetwork() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.leeway.approx.estimate..",
                        "io.leeway.approx.internal.window..",
                        "io.leeway.approx.internal.wire..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "org.apache.kafka..")
                .check(CLASSES);
    }

    @Test
    void kafkasInternalsAreSeenByTheShimOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.leeway.approx.internal.shim..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka.common.requests..",
                        "org.apache.kafka.common.protocol..",
                        "org.apache.kafka.common.message..",
                        "org.apache.kafka.common.record..")
                .check(CLASSES);
    }

    @Test
    void theAnswersOfTheDesignPageExist() throws Exception {
        String page = Files.readString(Path.of(System.getProperty("leeway.root", "../.."), "docs/approx/design.md"));
        Matcher matcher = Pattern.compile("`(\\w+)\\.(\\w+)`").matcher(page.substring(page.indexOf("| Question")));
        int found = 0;
        while (matcher.find()) {
            String name = matcher.group(1);
            String method = matcher.group(2);
            assertThat(CLASSES.stream()
                            .filter(type -> type.getSimpleName().equals(name))
                            .flatMap(type -> type.getMethods().stream())
                            .anyMatch(candidate -> candidate.getName().equals(method)))
                    .as(name + "." + method)
                    .isTrue();
            found++;
        }
        assertThat(found).isGreaterThanOrEqualTo(10);
    }
}
