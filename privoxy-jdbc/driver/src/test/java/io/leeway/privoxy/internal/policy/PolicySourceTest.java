package io.leeway.privoxy.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.View;
import io.leeway.privoxy.internal.schema.SchemaSnapshot;
import io.leeway.privoxy.internal.schema.SchemaUnavailableException;
import io.leeway.testkit.FakeClock;
import io.leeway.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicySourceTest {

    private static final SchemaSnapshot TABLES = SocialSchema.tables();
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    Path directory;

    private final FakeClock clock = new FakeClock();
    private final List<String> events = new ArrayList<>();
    private LogCapture log;
    private Path file;

    @BeforeEach
    void writePolicy() throws IOException {
        log = LogCapture.of(PolicySource.class.getName());
        file = directory.resolve("policy.sql");
        write("CREATE VIEW a AS SELECT id FROM people;");
    }

    @AfterEach
    void closeLog() {
        log.close();
    }

    @Test
    void takesANewerVersionWithinTheInterval() throws Exception {
        PolicySource source = open(SECOND);
        write("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT id FROM posts;");

        assertThat(views(source)).containsExactly("a");
        clock.advance(SECOND);
        assertThat(views(source)).containsExactly("a", "b");

        assertThat(events).containsExactly("loaded changed");
    }

    @Test
    void neverLooksWithoutAnInterval() throws Exception {
        PolicySource source = open(Duration.ZERO);
        write("CREATE VIEW b AS SELECT id FROM posts;");
        clock.advance(Duration.ofDays(1));

        assertThat(views(source)).containsExactly("a");
        assertThat(source.reload()).isTrue();
        assertThat(views(source)).containsExactly("b");
    }

    @Test
    void aVersionWithFaultsChangesNothingAndIsReportedOnce() throws Exception {
        PolicySource source = open(SECOND);
        LoadedPolicy before = source.current();
        write("CREATE VIEW a AS SELECT id FROM people; CREATE VIEW b AS SELECT nothing FROM people;");

        for (int i = 0; i < 3; i++) {
            clock.advance(SECOND);
            assertThat(source.current()).isSameAs(before);
        }
        assertThat(source.reload()).isFalse();

        assertThat(events).containsExactly("failed", "failed");
        assertThat(log.messages(Level.WARNING)).singleElement().asString().contains("stays in force", "nothing", ":1:");
        write("CREATE VIEW c AS SELECT id FROM people;");
        clock.advance(SECOND);
        assertThat(views(source)).containsExactly("c");
    }

    @Test
    void aHalfWrittenFileIsNotTaken() throws Exception {
        write("CREATE VIEW a AS SELECT id FROM people WHERE name = 'x';");
        PolicySource source = open(SECOND);
        LoadedPolicy before = source.current();

        write("CREATE VIEW a AS SELECT id FROM people");
        clock.advance(SECOND);

        assertThat(source.current()).isSameAs(before);
        assertThat(events).containsExactly("failed");
    }

    @Test
    void aFileThatIsGoneChangesNothing() throws Exception {
        PolicySource source = open(SECOND);
        Files.delete(file);
        clock.advance(SECOND);

        assertThat(views(source)).containsExactly("a");
        write("CREATE VIEW b AS SELECT id FROM posts;");
        clock.advance(SECOND);
        assertThat(views(source)).containsExactly("b");
    }

    @Test
    void aFileThatComesToADirectoryCounts() throws Exception {
        PolicySource source = PolicySource.open(
                List.of(directory.toString()), this::load, SECOND, clock.nanos(), PolicySource.Listener.NONE);
        Files.writeString(directory.resolve("more.sql"), "CREATE VIEW b AS SELECT id FROM posts;");
        Files.setLastModifiedTime(directory, java.nio.file.attribute.FileTime.fromMillis(1));
        clock.advance(SECOND);

        assertThat(views(source)).containsExactly("b", "a");
    }

    @Test
    void tellsThatANewVersionMeansTheSame() throws Exception {
        PolicySource source = open(SECOND);
        write("-- why\nCREATE VIEW a AS\n  SELECT id FROM people;");
        clock.advance(SECOND);
        source.current();

        assertThat(events).containsExactly("loaded unchanged");
    }

    @Test
    void triesAgainWhenTheDatabaseCouldNotBeAsked() throws Exception {
        var down = new boolean[] {false};
        PolicySource source = PolicySource.open(
                List.of(file.toString()),
                sources -> {
                    if (down[0]) {
                        throw new SchemaUnavailableException(new SQLException("down"));
                    }
                    return load(sources);
                },
                SECOND,
                clock.nanos(),
                listener());
        down[0] = true;
        write("CREATE VIEW b AS SELECT id FROM posts;");
        clock.advance(SECOND);
        assertThat(views(source)).containsExactly("a");

        down[0] = false;
        clock.advance(SECOND);
        assertThat(views(source)).containsExactly("b");
        assertThat(events).containsExactly("failed", "loaded changed");
    }

    @Test
    void thereIsNoSourceWithoutAGoodPolicy() throws Exception {
        write("CREATE VIEW a AS SELECT nothing FROM people;");

        assertThatThrownBy(() -> open(SECOND)).isInstanceOf(InvalidPolicyException.class);
    }

    private PolicySource open(Duration interval) throws InvalidPolicyException {
        return PolicySource.open(List.of(file.toString()), this::load, interval, clock.nanos(), listener());
    }

    private LoadedPolicy load(List<SourceText> sources) throws InvalidPolicyException {
        return PolicyLoader.load(sources, SocialSchema.compiler(TABLES), TABLES);
    }

    private PolicySource.Listener listener() {
        return new PolicySource.Listener() {
            @Override
            public void loaded(LoadedPolicy policy, boolean changed) {
                events.add(changed ? "loaded changed" : "loaded unchanged");
            }

            @Override
            public void failed(InvalidPolicyException fault) {
                events.add("failed");
            }
        };
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text);
    }

    private static List<String> views(PolicySource source) {
        return source.current().policy().views().stream().map(View::name).toList();
    }
}
