package io.leeway.privoxy.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOption;
import io.leeway.privoxy.PrivoxyOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PrivoxyConfigTest {

    @Test
    void everyOptionHasItsDefault() throws PrivoxyFailureException {
        var config = PrivoxyConfig.of(Map.of("privoxyPolicy", "policy.sql"));

        assertThat(config.get(PrivoxyOptions.POLICY)).containsExactly("policy.sql");
        assertThat(config.get(PrivoxyOptions.MODE)).isEqualTo(PrivoxyMode.ENFORCE);
        assertThat(config.get(PrivoxyOptions.TABLES)).isEmpty();
        assertThat(config.get(PrivoxyOptions.WRITES)).isEqualTo(PrivoxyOptions.Writes.CHECK);
        assertThat(config.get(PrivoxyOptions.FUNCTIONS)).isEmpty();
        assertThat(config.get(PrivoxyOptions.UNWRAP)).isEmpty();
        assertThat(config.get(PrivoxyOptions.TEMPLATES)).isEmpty();
        assertThat(config.get(PrivoxyOptions.TEMPLATE_USE)).isEqualTo(PrivoxyOptions.TemplateUse.LEARN);
        assertThat(config.get(PrivoxyOptions.TEMPLATE_LIMIT)).isEqualTo(10_000);
        assertThat(config.get(PrivoxyOptions.TEMPLATE_KEY)).isEmpty();
        assertThat(config.get(PrivoxyOptions.RELOAD)).isZero();
        assertThat(config.get(PrivoxyOptions.SOLVER)).isEqualTo(PrivoxyOptions.Solver.AUTO);
        assertThat(config.get(PrivoxyOptions.EFFORT)).isEqualTo(100_000);
        assertThat(config.get(PrivoxyOptions.EXPLAIN)).isEqualTo(PrivoxyOptions.Explain.VIEWS);
        assertThat(config.get(PrivoxyOptions.VALUES)).isFalse();
        assertThat(config.get(PrivoxyOptions.RECORD)).isEmpty();
        assertThat(config.get(PrivoxyOptions.TRACE_ENTRIES)).isEqualTo(1_000);
        assertThat(config.get(PrivoxyOptions.TRACE_ROWS)).isEqualTo(1_000);
        assertThat(config.get(PrivoxyOptions.TRACE_CELLS)).isEqualTo(200_000);
        assertThat(config.get(PrivoxyOptions.METRICS)).isEqualTo(PrivoxyOptions.Metrics.AUTO);
        assertThat(config.get(PrivoxyOptions.DELEGATE_DRIVER)).isEmpty();
    }

    @Test
    void everyOptionIsReadFromItsKey() throws PrivoxyFailureException {
        Map<String, String> given = Map.ofEntries(
                Map.entry("privoxyPolicy", "a.sql, b.sql"),
                Map.entry("privoxyMode", "AUDIT"),
                Map.entry("privoxyTables", "posts:audit,logs:off"),
                Map.entry("privoxyWrites", "refuse"),
                Map.entry("privoxyOrder", "any"),
                Map.entry("privoxyFunctions", "f,g"),
                Map.entry("privoxyUnwrap", "org.postgresql.PGConnection"),
                Map.entry("privoxyTemplates", "t.txt"),
                Map.entry("privoxyTemplateUse", "reviewed"),
                Map.entry("privoxyTemplateLimit", "7"),
                Map.entry("privoxyTemplateKey", "key.pub"),
                Map.entry("privoxyReload", "250ms"),
                Map.entry("privoxySolver", "off"),
                Map.entry("privoxyEffort", "500"),
                Map.entry("privoxyExplain", "counterexample"),
                Map.entry("privoxyValues", "true"),
                Map.entry("privoxyRecord", "log.jsonl"),
                Map.entry("privoxyTraceEntries", "1"),
                Map.entry("privoxyTraceRows", "2"),
                Map.entry("privoxyTraceCells", "3"),
                Map.entry("privoxyMetrics", "none"),
                Map.entry("privoxyDelegateDriver", "org.h2.Driver"));

        var config = PrivoxyConfig.of(given);

        assertThat(given.keySet())
                .as("this test gives every option")
                .isEqualTo(PrivoxyOptions.all().stream().map(PrivoxyOption::key).collect(Collectors.toSet()));
        assertThat(config.get(PrivoxyOptions.POLICY)).containsExactly("a.sql", "b.sql");
        assertThat(config.get(PrivoxyOptions.MODE)).isEqualTo(PrivoxyMode.AUDIT);
        assertThat(config.get(PrivoxyOptions.TABLES))
                .isEqualTo(Map.of("posts", PrivoxyMode.AUDIT, "logs", PrivoxyMode.OFF));
        assertThat(config.get(PrivoxyOptions.WRITES)).isEqualTo(PrivoxyOptions.Writes.REFUSE);
        assertThat(config.get(PrivoxyOptions.FUNCTIONS)).containsExactly("f", "g");
        assertThat(config.get(PrivoxyOptions.UNWRAP)).containsExactly("org.postgresql.PGConnection");
        assertThat(config.get(PrivoxyOptions.TEMPLATES)).isEqualTo("t.txt");
        assertThat(config.get(PrivoxyOptions.TEMPLATE_USE)).isEqualTo(PrivoxyOptions.TemplateUse.REVIEWED);
        assertThat(config.get(PrivoxyOptions.TEMPLATE_LIMIT)).isEqualTo(7);
        assertThat(config.get(PrivoxyOptions.TEMPLATE_KEY)).isEqualTo("key.pub");
        assertThat(config.get(PrivoxyOptions.RELOAD)).isEqualTo(Duration.ofMillis(250));
        assertThat(config.get(PrivoxyOptions.SOLVER)).isEqualTo(PrivoxyOptions.Solver.OFF);
        assertThat(config.get(PrivoxyOptions.EFFORT)).isEqualTo(500);
        assertThat(config.get(PrivoxyOptions.EXPLAIN)).isEqualTo(PrivoxyOptions.Explain.COUNTEREXAMPLE);
        assertThat(config.get(PrivoxyOptions.VALUES)).isTrue();
        assertThat(config.get(PrivoxyOptions.RECORD)).isEqualTo("log.jsonl");
        assertThat(config.get(PrivoxyOptions.TRACE_ENTRIES)).isEqualTo(1);
        assertThat(config.get(PrivoxyOptions.TRACE_ROWS)).isEqualTo(2);
        assertThat(config.get(PrivoxyOptions.TRACE_CELLS)).isEqualTo(3);
        assertThat(config.get(PrivoxyOptions.METRICS)).isEqualTo(PrivoxyOptions.Metrics.NONE);
        assertThat(config.get(PrivoxyOptions.DELEGATE_DRIVER)).isEqualTo("org.h2.Driver");
    }

    @Test
    void allFaultsAreReportedAtOnceWithWhatWasMeant() {
        Map<String, String> wrong = Map.of(
                "privoxyPolcy", "p.sql",
                "privoxyMode", "enfroce",
                "privoxyEffort", "7",
                "privoxyReload", "soon",
                "privoxyTables", "posts");

        assertThatThrownBy(() -> PrivoxyConfig.of(wrong))
                .isInstanceOf(PrivoxyFailureException.class)
                .hasMessageContaining("PRIVOXY-1001")
                .hasMessageContaining("unknown option privoxyPolcy, did you mean privoxyPolicy?")
                .hasMessageContaining("privoxyMode must be one of enforce, audit, off")
                .hasMessageContaining("privoxyEffort must be a whole number from 100 to")
                .hasMessageContaining("privoxyReload must be a duration")
                .hasMessageContaining("privoxyTables must be name:choice");
    }

    @Test
    void contradictionsAreFaults() {
        assertFault(Map.of(), "privoxyPolicy is missing");
        assertFault(
                Map.of("privoxyMode", "off", "privoxyTables", "a:audit"), "privoxyTables contradicts privoxyMode=off");
        assertFault(
                Map.of("privoxyPolicy", "p", "privoxyTemplateUse", "reviewed"),
                "privoxyTemplateUse=reviewed needs privoxyTemplates");
        assertFault(Map.of("privoxyPolicy", "p", "privoxyValues", "true"), "privoxyValues=true has no effect");
        assertFault(Map.of("privoxyPolicy", "p", "privoxyTables", "a:audit,a:off"), "names a twice");
    }

    @Test
    void withoutPolicyOnlyTheModeOffIsValid() throws PrivoxyFailureException {
        assertThat(PrivoxyConfig.of(Map.of("privoxyMode", "off")).mode()).isEqualTo(PrivoxyMode.OFF);
    }

    @Test
    void durationsCarryTheirUnit() {
        assertThat(PrivoxyOptions.RELOAD.parse("5s")).isEqualTo(Duration.ofSeconds(5));
        assertThat(PrivoxyOptions.RELOAD.parse("1500ms")).isEqualTo(Duration.ofMillis(1500));
        assertThat(PrivoxyOptions.RELOAD.parse("2m")).isEqualTo(Duration.ofMinutes(2));
        assertThat(PrivoxyOptions.RELOAD.parse("1h")).isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> PrivoxyOptions.RELOAD.parse("5")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PrivoxyOptions.RELOAD.parse("-5s")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void equalOptionsAreEqualConfigurations() throws PrivoxyFailureException {
        var one = PrivoxyConfig.of(Map.of("privoxyPolicy", "p", "privoxyMode", "audit"));
        var same = PrivoxyConfig.of(Map.of("privoxyPolicy", " p ", "privoxyMode", "Audit", "privoxySolver", "auto"));
        var other = PrivoxyConfig.of(Map.of("privoxyPolicy", "p"));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(other);
    }

    @Test
    void everyOptionIsDescribed() {
        for (PrivoxyOption<?> option : PrivoxyOptions.all()) {
            assertThat(option.key()).startsWith("privoxy");
            assertThat(option.description()).endsWith(".");
            assertThat(option.since()).isEqualTo("0.1");
            assertThat(List.of("text", "list", "flag", "number", "duration", "choice", "map"))
                    .contains(option.type());
        }
    }

    private static void assertFault(Map<String, String> given, String fault) {
        assertThatThrownBy(() -> PrivoxyConfig.of(given)).hasMessageContaining(fault);
    }
}
