package io.leeway.lazytables;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.leeway.testkit.arch.ArchitectureRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void followsTheHouseRules() {
        ArchitectureRules.of("io.leeway.lazytables")
                .algorithmsIn("wire", "row", "client", "server")
                .baseFeatures("config", "console", "wire")
                .allowingConsoleIn("io.leeway.lazytables.internal.cli..")
                .check();
    }

    /** They are in the same jar, since servers and runs are started with it; a worker loads none of it. */
    @Test
    void theLibraryUsesNeitherTheCommandLineNorTheReport() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.leeway.lazytables.internal.cli..", "io.leeway.lazytables.internal.report..")
                .and()
                .doNotHaveFullyQualifiedName(LazyTablesCommand.class.getName())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.leeway.lazytables.internal.cli..", "io.leeway.lazytables.internal.report..")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.leeway.lazytables"));
    }

    @Test
    void nettyIsSeenByTheTransportOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.leeway.lazytables.internal.net..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "net.jpountz..")
                .check(new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages("io.leeway.lazytables"));
    }
}
