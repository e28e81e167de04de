package io.leeway.lazytables.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurroundingsTest {

    @Test
    void propertiesComeBeforeTheEnvironment() {
        var properties = new Properties();
        properties.setProperty("lazytables.process", "3");
        properties.setProperty("java.version", "17");

        assertThat(Surroundings.options(
                        properties,
                        Map.of(
                                "LAZYTABLES_PROCESS",
                                "1",
                                "LAZYTABLES_TLS_TRUST_PASSWORD",
                                "secret",
                                "LAZYTABLES_CLASSPATH",
                                "lib/*")))
                .containsOnly(
                        Map.entry("lazytables.process", "3"), Map.entry("lazytables.tls.trust.password", "secret"));
    }

    @Test
    void everyOptionHasAVariableOfItsOwn() {
        assertThat(LazyTablesOptions.all())
                .extracting(LazyTablesOption::key)
                .extracting(Surroundings::variable)
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("LAZYTABLES(_[A-Z]+)+"));
    }

    @Test
    void aVariableThatIsNoOptionIsTold() {
        assertThatThrownBy(() -> LazyTablesConfig.of(
                        Surroundings.options(new Properties(), Map.of("LAZYTABLES_SERVER", "127.0.0.1:7171"))))
                .hasMessageContaining(
                        "unknown option LAZYTABLES_SERVER in the environment, did you mean LAZYTABLES_SERVERS?");
        // Kubernetes tells containers of services by such names.
        assertThat(Surroundings.options(
                        new Properties(),
                        Map.of(
                                "LAZYTABLES_SERVICE_HOST", "10.0.0.1",
                                "LAZYTABLES_PORT", "tcp://10.0.0.1:7171",
                                "LAZYTABLES_0_PORT_7171_TCP_ADDR", "10.0.0.1")))
                .isEmpty();
    }

    /** Without what was mistyped each of several processes would start a server of its own and end well. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "LAZYTABLE_SERVERS",
                "lazytables_servers",
                "LAZY_TABLES_SERVERS",
                "LAZYTABELS_SERVERS",
                "LAZYTABLESSERVERS"
            })
    void aVariableWhoseBeginningIsMistypedIsToldToo(String name) {
        assertThatThrownBy(() -> LazyTablesConfig.of(
                        Surroundings.options(new Properties(), Map.of(name, "127.0.0.1:7171", "PATH", "/bin"))))
                .hasMessageContaining("unknown option " + name)
                .hasMessageContaining("did you mean LAZYTABLES_SERVERS?")
                .hasMessageNotContaining("PATH");
    }

    @Test
    void variablesAndPropertiesOfOthersAreLeftAlone() {
        var properties = new Properties();
        properties.setProperty("lazy.loading", "true");
        properties.setProperty("tables.servers", "1");

        assertThat(Surroundings.options(
                        properties,
                        Map.of(
                                "LAZY", "1",
                                "TABLES_SERVERS", "1",
                                "LAZYTABLE_SERVICE_HOST", "10.0.0.1",
                                "LAZYTABLE_PORT", "tcp://10.0.0.1:7171")))
                .isEmpty();
    }

    @Test
    void severalProcessesWithoutServersAreNotEachOnItsOwn() {
        assertThatThrownBy(() ->
                        LazyTables.builder().option("lazytables.processes", "2").connect())
                .hasMessageContaining("LAZY-1006")
                .hasMessageContaining("lazytables.processes=2 processes need servers that they share");
    }

    @Test
    void aPropertyThatIsNoOptionIsTold() {
        var properties = new Properties();
        properties.setProperty("lazytables.proces", "3");

        assertThatThrownBy(() -> LazyTablesConfig.of(Surroundings.options(properties, Map.of())))
                .hasMessageContaining("unknown option lazytables.proces, did you mean lazytables.process?");

        properties.clear();
        properties.setProperty("lazytable.servers", "127.0.0.1:7171");
        assertThatThrownBy(() -> LazyTablesConfig.of(Surroundings.options(properties, Map.of())))
                .hasMessageContaining("unknown option lazytable.servers, did you mean lazytables.servers?");
    }
}
