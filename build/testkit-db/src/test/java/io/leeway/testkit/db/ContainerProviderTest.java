package io.leeway.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What can be seen of the containers without an engine; where one answers, {@link TestDatabasesTest} runs on them. */
class ContainerProviderTest {

    @Test
    void theImagesAreOfTheLinesThatAreEmbeddedToo() {
        assertThat(TestDatabases.postgres().description()).contains(" " + line(ServerKind.POSTGRESQL) + ".");
        assertThat(TestDatabases.mariadb().description()).contains(line(ServerKind.MARIADB) + ".");
    }

    @Test
    void theAdministratorMayCreateDatabases() {
        assertThat(ContainerProvider.container(ServerKind.POSTGRESQL).getUsername())
                .isEqualTo("postgres");
        assertThat(ContainerProvider.container(ServerKind.MARIADB).getUsername())
                .isEqualTo("root");
    }

    private static String line(ServerKind kind) {
        String image = ContainerProvider.image(kind);
        return image.substring(image.indexOf(':') + 1);
    }
}
