package io.leeway.lazytables.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazytables.LazyTables;
import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

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
                .hasMessageContaining("unknown option lazytables.server, did you mean lazytables.servers?");
        // Kubernetes tells containers of services by such names.
        assertThat(Surroundings.options(
                        new Properties(),
                        Map.of(
                                "LAZYTABLES_SERVICE_HOST", "10.0.0.1",
                                "LAZYTABLES_PORT", "tcp://10.0.0.1:7171",
                                "LAZYTABLES_0_PORT_7171_TCP_ADDR", "10.0.0.1")))
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
    }
}
