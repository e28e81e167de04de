package io.leeway.privoxy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A program that has nothing but the jar and a database's driver; run in a JVM of its own. */
public final class BareProgram {

    private BareProgram() {}

    /** Asks for what the policy shows and for what it does not show. */
    public static void main(String[] arguments) throws Exception {
        Path policy = Files.writeString(
                Files.createTempFile("policy", ".sql"), "CREATE VIEW names AS SELECT id, name FROM users;");
        try (Connection plain = DriverManager.getConnection("jdbc:h2:mem:bare");
                Statement statement = plain.createStatement()) {
            statement.execute("CREATE TABLE users (id BIGINT PRIMARY KEY, name VARCHAR(20), secret VARCHAR(20))");
            statement.execute("INSERT INTO users VALUES (1, 'Ada', 'hidden')");
            try (Connection checked = DriverManager.getConnection("jdbc:privoxy:h2:mem:bare;privoxyPolicy=" + policy);
                    Statement query = checked.createStatement()) {
                try (ResultSet rows = query.executeQuery("SELECT name FROM users")) {
                    rows.next();
                    System.out.println("allowed: " + rows.getString(1));
                }
                query.executeQuery("SELECT secret FROM users");
            }
        } catch (SQLException refusal) {
            System.out.println("refused: " + refusal.getSQLState());
        } finally {
            Files.delete(policy);
        }
    }
}
