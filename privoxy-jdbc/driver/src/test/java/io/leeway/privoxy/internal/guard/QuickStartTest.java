package io.leeway.privoxy.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import io.leeway.testkit.db.TestDatabases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start and the page of the policy language, run as they stand. */
class QuickStartTest {

    private static final Pattern SQL = Pattern.compile("(?s)```sql\n(.*?)```");

    @TempDir
    Path directory;

    private static List<String> blocks(String page) throws IOException {
        Path root = Path.of(System.getProperty("leeway.root", "../.."));
        String text = Files.readString(root.resolve("docs/privoxy").resolve(page));
        return SQL.matcher(text)
                .results()
                .map((MatchResult block) -> block.group(1))
                .toList();
    }

    @Test
    void theQuickStartRunsWhenCopied() throws IOException, SQLException {
        List<String> blocks = blocks("quick-start.md");
        assertThat(blocks).hasSize(3);
        List<String> decided = new ArrayList<>();
        try (CheckedDatabase database =
                        new CheckedDatabase(TestDatabases.h2(), directory, blocks.get(1), blocks.get(0));
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L));
                Connection connection = database.connect()) {
            assertThat(request.isOpen()).isTrue();
            for (String line : blocks.get(2).lines().toList()) {
                String sql = line.substring(0, line.indexOf(';'));
                String said = line.substring(line.indexOf("--") + 2).strip();
                assertThat(answer(connection, sql)).as(line).isEqualTo(said);
                decided.add(said);
            }
        }
        assertThat(decided).contains("accepted", "refused");
    }

    @Test
    void everyPolicyOfTheLanguagesPageIsLoaded() throws IOException, SQLException {
        List<String> blocks = blocks("policy.md");
        assertThat(blocks).hasSizeGreaterThan(3);
        for (String policy : blocks.subList(1, blocks.size())) {
            try (CheckedDatabase database = new CheckedDatabase(TestDatabases.h2(), directory, policy, blocks.get(0));
                    Connection connection = database.connect()) {
                assertThat(connection.isValid(60)).as(policy).isTrue();
            }
        }
    }

    private static String answer(Connection connection, String sql) throws SQLException {
        try {
            assertThat(CheckedDatabase.rows(connection, sql)).as(sql).isNotEmpty();
            return "accepted";
        } catch (PolicyViolationException refused) {
            return "refused";
        }
    }
}
