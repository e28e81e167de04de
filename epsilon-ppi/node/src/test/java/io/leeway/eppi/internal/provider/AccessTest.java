package io.leeway.eppi.internal.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest {

    private static final Clock NOON = Clock.fixed(Instant.parse("2026-01-02T12:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path directory;

    @Test
    void onlyWhoIsNamedMaySearch() {
        var access = new AccessControl(List.of("doctor"), 3, NOON);
        assertThat(access.isAllowed("doctor")).isTrue();
        assertThat(access.isAllowed("stranger")).isFalse();
        assertThat(new AccessControl(List.of(), 3, NOON).isAllowed("doctor")).isFalse();
        assertThat(new AccessControl(List.of("*"), 3, NOON).isAllowed("stranger"))
                .isTrue();
    }

    @Test
    void searchesOfAMinuteAreLimited() {
        var access = new AccessControl(List.of("*"), 3, NOON);
        for (int i = 0; i < 3; i++) {
            assertThat(access.excess("doctor")).isNotPositive();
        }
        assertThat(access.excess("doctor")).isEqualTo(1);
        assertThat(access.excess("doctor")).isEqualTo(2);
        assertThat(access.excess("nurse")).isNotPositive();
    }

    @Test
    void aChangedLogIsNoticed() throws IOException {
        Path file = directory.resolve("access.log");
        var log = new AccessLog(file, NOON);
        log.write("doctor", "0123", "granted", 2);
        log.write("stranger", "0123", "denied", 0);
        new AccessLog(file, NOON).write("doctor", "4567", "granted", 0);
        assertThat(Files.readAllLines(file)).hasSize(3).first().asString().contains("doctor 0123 granted 2");
        AccessLog.verify(file);

        List<String> lines = Files.readAllLines(file);
        Files.write(file, List.of(lines.get(0), lines.get(2)));
        assertThatExceptionOfType(EppiException.class).isThrownBy(() -> new AccessLog(file, NOON));
        Files.writeString(file, String.join("\n", lines).replace("denied", "granted"));
        assertThatExceptionOfType(EppiException.class)
                .isThrownBy(() -> AccessLog.verify(file))
                .withMessageContaining("line 2");
    }

    @Test
    void aLineThatWasBeingWrittenWhenTheProcessWasKilledDoesNotKeepTheNodeFromStarting() throws IOException {
        Path file = directory.resolve("access.log");
        new AccessLog(file, NOON).write("doctor", "0123", "granted", 2);
        String whole = Files.readString(file);
        Files.writeString(file, whole + "2026-01-02T12:00:00Z doctor 45");

        new AccessLog(file, NOON).write("doctor", "4567", "granted", 0);

        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(Files.readString(file)).startsWith(whole);
        AccessLog.verify(file);
    }

    @Test
    void whereALogIsMovedAwayANewOneBegins() throws IOException {
        Path file = directory.resolve("access.log");
        var log = new AccessLog(file, NOON);
        log.write("doctor", "0123", "granted", 2);
        Files.move(file, directory.resolve("access.log.1"));

        log.write("doctor", "4567", "granted", 0);

        AccessLog.verify(file);
        AccessLog.verify(directory.resolve("access.log.1"));
    }
}
