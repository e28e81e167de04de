package io.leeway.privoxy.internal.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.internal.fuzz.FuzzStep.Kind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.db.TestDatabases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuzzTruthTest {

    @TempDir
    Path directory;

    @Test
    void answersThatNoViewGivesAreTold() throws SQLException {
        try (FuzzWorld world = new FuzzWorld(Dialect.H2, TestDatabases.h2(), directory, 0, new Random(1));
                Connection plain = world.plain()) {
            world.reset(plain);
            var truth = new FuzzTruth(world, plain, 1, 1);

            for (String betraying : List.of(
                    "SELECT email FROM users",
                    "SELECT count(*) FROM posts",
                    "SELECT id FROM users WHERE salary > 777050",
                    "SELECT title FROM events WHERE id = 9",
                    "SELECT label FROM times")) {
                assertThat(truth.isBetrayedBy(asked(betraying), 1))
                        .as(betraying)
                        .isTrue();
            }
            for (String shown : List.of(
                    "SELECT id, name FROM users",
                    "SELECT * FROM users WHERE id = 1",
                    "SELECT * FROM posts WHERE public = TRUE",
                    "SELECT e.* FROM events e JOIN members m ON m.event_id = e.id WHERE m.user_id = 1")) {
                assertThat(truth.isBetrayedBy(asked(shown), 1)).as(shown).isFalse();
            }
            assertThat(truth.compared()).isEqualTo(9);
        }
    }

    @Test
    void whatMayHaveBeenTrueBeforeAChangeIsNotTold() throws SQLException {
        try (FuzzWorld world = new FuzzWorld(Dialect.H2, TestDatabases.h2(), directory, 0, new Random(1));
                Connection plain = world.plain()) {
            world.reset(plain);
            var truth = new FuzzTruth(world, plain, 1, 1);
            FuzzStep step = asked("SELECT title FROM events WHERE id = 9");

            truth.before(new FuzzStep(Kind.WRITER, 0, 0, List.of("DELETE FROM members"), 0, List.of()));
            assertThat(truth.isBetrayedBy(step, 1)).isFalse();
            truth.requestBegins(0);
            assertThat(truth.isBetrayedBy(step, 1)).isTrue();
        }
    }

    private static FuzzStep asked(String sql) {
        return new FuzzStep(Kind.QUERY, 0, 0, List.of(sql), 0, List.of());
    }
}
