package io.leeway.testkit.arch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureRulesTest {

    private static final String SAMPLE = "io.leeway.testkit.arch.sample";
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(SAMPLE);

    private final ArchitectureRules good = ArchitectureRules.of(SAMPLE + ".good");
    private final ArchitectureRules bad = ArchitectureRules.of(SAMPLE + ".bad");

    @Test
    void aProductThatKeepsTheRulesPasses() {
        JavaClasses own = new ClassFileImporter().importPackages(SAMPLE + ".good");

        assertThatCode(() -> good.algorithmsIn("decide").baseFeatures("config").check(own))
                .doesNotThrowAnyException();
    }

    @Test
    void findsAnotherProductInTheInternals() {
        assertThatThrownBy(() -> good.check(CLASSES)).hasMessageContaining("Intruder");
    }

    @Test
    void findsEveryKindOfViolation() {
        String all = violations(bad.algorithmsIn("decide").baseFeatures("config"));

        assertThat(all)
                .contains("Cycle detected")
                .contains("System.out")
                .contains("java.util.logging.Logger.info")
                .contains("printStackTrace")
                .contains("thirdParty() shows com.tngtech.archunit.core.domain.JavaClass")
                .contains("internal() shows " + SAMPLE + ".bad.internal.decide.BadDecision")
                .contains("java.sql.SQLException")
                .contains("System.nanoTime")
                .contains("are in a feature other than [config]")
                .contains("internal.unmarked is not @NullMarked");
    }

    @Test
    void whatIsAllowedIsNotReported() {
        String all = violations(bad.allowingInApi("com.tngtech..").allowingConsoleIn(SAMPLE + ".bad.internal.decide"));

        assertThat(all).doesNotContain("thirdParty()").doesNotContain("System.out");
    }

    private static String violations(ArchitectureRules rules) {
        return String.join("\n", rules.violations(CLASSES));
    }
}
