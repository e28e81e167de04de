package io.leeway.testkit.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.ArrayList;
import java.util.List;

/**
 * The house rules for one product.
 *
 * <pre>{@code
 * ArchitectureRules.of("io.leeway.privoxy")
 *         .algorithmsIn("decide", "sql", "model")
 *         .baseFeatures("config", "metrics")
 *         .allowingInApi("io.micrometer..", "jakarta.servlet..")
 *         .allowingConsoleIn("io.leeway.privoxy.internal.cli..")
 *         .check();
 * }</pre>
 *
 * <p>Feature names are packages below {@code internal}. Checks all classes of the product on the class path except
 * tests. Immutable.
 */
public final class ArchitectureRules {

    /** Hosts that an algorithm must not know. */
    private static final String[] HOSTS = {
        "java.sql..",
        "javax.sql..",
        "java.net.http..",
        "jakarta.servlet..",
        "javax.servlet..",
        "io.netty..",
        "io.micrometer..",
        "org.apache.hadoop..",
        "org.apache.kafka..",
        "org.apache.flink.."
    };

    private final String root;
    private final List<String> algorithms;
    private final List<String> baseFeatures;
    private final List<String> api;
    private final List<String> console;

    private ArchitectureRules(
            String root, List<String> algorithms, List<String> baseFeatures, List<String> api, List<String> console) {
        this.root = root;
        this.algorithms = algorithms;
        this.baseFeatures = baseFeatures;
        this.api = api;
        this.console = console;
    }

    /** Rules for the product with this root package. */
    public static ArchitectureRules of(String rootPackage) {
        return new ArchitectureRules(rootPackage, List.of(), List.of(), List.of(), List.of());
    }

    /** Features that see neither hosts nor the clock nor hidden randomness. */
    public ArchitectureRules algorithmsIn(String... features) {
        return new ArchitectureRules(root, List.of(features), baseFeatures, api, console);
    }

    /** Features that all others may use and that use no other. */
    public ArchitectureRules baseFeatures(String... features) {
        return new ArchitectureRules(root, algorithms, List.of(features), api, console);
    }

    /** Third-party packages that may appear in public signatures, as package patterns. */
    public ArchitectureRules allowingInApi(String... packagePatterns) {
        return new ArchitectureRules(root, algorithms, baseFeatures, List.of(packagePatterns), console);
    }

    /** Packages that may write to the console, such as a command line. */
    public ArchitectureRules allowingConsoleIn(String... packagePatterns) {
        return new ArchitectureRules(root, algorithms, baseFeatures, api, List.of(packagePatterns));
    }

    /** Checks all rules on the class path; the {@link AssertionError} lists every violation of every rule. */
    public void check() {
        check(new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.leeway"));
    }

    void check(JavaClasses classes) {
        List<String> violations = violations(classes);
        if (!violations.isEmpty()) {
            throw new AssertionError(String.join("\n\n", violations));
        }
    }

    /** One text for each rule that is broken. */
    List<String> violations(JavaClasses classes) {
        return rules().stream()
                .map(rule -> rule.evaluate(classes))
                .filter(EvaluationResult::hasViolation)
                .map(result -> result.getFailureReport().toString())
                .toList();
    }

    private List<ArchRule> rules() {
        var rules = new ArrayList<ArchRule>();
        rules.add(featuresFormNoCycle());
        rules.add(internalsAreUsedByTheProductOnly());
        rules.add(noConsoleAndNoForeignLogging());
        rules.add(noStackTracesPrinted());
        rules.add(apiFreeOfThirdParties());
        rules.add(classes().that(inside(root + "..")).should(new BeNullMarked()));
        if (!algorithms.isEmpty()) {
            rules.add(algorithmsFreeOfHosts());
            rules.add(algorithmsGetTimeAndRandomnessPassedIn());
        }
        if (!baseFeatures.isEmpty()) {
            rules.add(baseFeaturesUseNoOther());
        }
        return rules.stream().map(rule -> rule.allowEmptyShould(true)).toList();
    }

    private ArchRule featuresFormNoCycle() {
        return slices().matching(root + ".internal.(*)..").should().beFreeOfCycles();
    }

    private ArchRule internalsAreUsedByTheProductOnly() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(root + "..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(root + ".internal..");
    }

    private ArchRule noConsoleAndNoForeignLogging() {
        return noClasses()
                .that(inside(root + ".."))
                .and()
                .resideOutsideOfPackages(patterns(console))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould(new LogThroughJul());
    }

    private ArchRule noStackTracesPrinted() {
        return noClasses().that(inside(root + "..")).should(new PrintStackTraces());
    }

    private ArchRule apiFreeOfThirdParties() {
        return classes()
                .that()
                .resideInAnyPackage(root, root + ".spi..")
                .and()
                .arePublic()
                .should(new HaveOwnTypesInSignatures(root, api));
    }

    private ArchRule algorithmsFreeOfHosts() {
        return noClasses()
                .that()
                .resideInAnyPackage(featurePackages(algorithms))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(HOSTS);
    }

    private ArchRule algorithmsGetTimeAndRandomnessPassedIn() {
        return noClasses()
                .that()
                .resideInAnyPackage(featurePackages(algorithms))
                .should(new ReadTimeOrRandomness());
    }

    private ArchRule baseFeaturesUseNoOther() {
        var others = new InOtherFeature(root, baseFeatures);
        return noClasses()
                .that()
                .resideInAnyPackage(featurePackages(baseFeatures))
                .should()
                .dependOnClassesThat(others);
    }

    private String[] featurePackages(List<String> features) {
        return features.stream()
                .map(feature -> root + ".internal." + feature + "..")
                .toArray(String[]::new);
    }

    private static String[] patterns(List<String> packages) {
        return packages.toArray(String[]::new);
    }

    private static DescribedPredicate<JavaClass> inside(String pattern) {
        return JavaClass.Predicates.resideInAPackage(pattern);
    }
}
