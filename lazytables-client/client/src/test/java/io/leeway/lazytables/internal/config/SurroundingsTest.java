package io.leeway.lazytables.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
    void aPropertyThatIsNoOptionIsTold() {
        var properties = new Properties();
        properties.setProperty("lazytables.proces", "3");

        assertThatThrownBy(() -> LazyTablesConfig.of(Surroundings.options(properties, Map.of())))
                .hasMessageContaining("unknown option lazytables.proces, did you mean lazytables.process?");
    }
}
