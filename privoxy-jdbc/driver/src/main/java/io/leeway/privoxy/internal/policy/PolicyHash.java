package io.leeway.privoxy.internal.policy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * SHA-256 of what a policy says. Comments, white space, the order of statements' files and what the views are called in
 * messages' positions do not count; every name and every character of a query does.
 *
 * <p>Recordings name their policy by it, and a reload tells by it whether anything is new. So only what cannot change
 * the meaning is left out.
 */
final class PolicyHash {

    private PolicyHash() {}

    static String of(List<PolicyStatement> statements) {
        var text = new StringBuilder();
        statements.stream()
                .map(PolicyHash::canonical)
                // Statements of a policy have no order: each view grants by itself.
                .sorted()
                .forEach(line -> text.append(line).append('\n'));
        return of(text.toString());
    }

    static String of(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String canonical(PolicyStatement statement) {
        if (statement instanceof PolicyStatement.Context declaration) {
            return "context "
                    + declaration.parameters().stream()
                            .map(parameter -> parameter.name() + ' ' + words(parameter.type()))
                            .sorted()
                            .toList();
        }
        if (statement instanceof PolicyStatement.View view) {
            // With its name, which refusals mention.
            return "view " + view.name() + ' ' + view.columns() + ' '
                    + words(view.query().sql());
        }
        if (statement instanceof PolicyStatement.Assertion assertion) {
            Body right = assertion.right();
            String bound = right == null ? "empty" : "in " + words(right.sql());
            return "assertion " + assertion.name() + ' '
                    + words(assertion.left().sql()) + ' ' + bound;
        }
        throw new IllegalStateException("an unknown statement: " + statement);
    }

    /**
     * The text with each run of white space as one space, except within quotes, where it means something.
     *
     * <p>Case is kept: whether names differ by it is the database's matter.
     */
    private static String words(String sql) {
        var text = new StringBuilder();
        int end = 0;
        for (Token token : Token.of(sql, 0, sql.length())) {
            text.append(token.start() > end ? " " : "").append(sql, token.start(), token.end());
            end = token.end();
        }
        return text.toString();
    }
}
