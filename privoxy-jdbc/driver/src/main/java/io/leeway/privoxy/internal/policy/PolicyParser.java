package io.leeway.privoxy.internal.policy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a file's statements; the queries in them are read by others.
 *
 * <p>A frame of its own instead of a database's CREATE VIEW: the same file is read for all databases, and there is
 * nothing in it that a database would run.
 */
final class PolicyParser {

    private static final String FORMS =
            "A policy has CREATE CONTEXT name type, …; CREATE VIEW name AS query; CREATE ASSERTION name AS query IS "
                    + "CONTAINED IN query; CREATE ASSERTION name AS query IS EMPTY.";

    private final Scanner.Chunk chunk;
    private final List<Token> tokens;
    private int next;

    private PolicyParser(Scanner.Chunk chunk) {
        this.chunk = chunk;
        this.tokens = Token.of(chunk.blanked(), chunk.start(), chunk.end());
    }

    /** A file's statements; what is wrong is added to the findings. */
    static List<PolicyStatement> parse(SourceText source, List<Finding> findings) {
        var statements = new ArrayList<PolicyStatement>();
        for (Scanner.Chunk chunk : Scanner.split(source, findings)) {
            try {
                statements.add(new PolicyParser(chunk).statement());
                // The next statement begins behind a semicolon, so a mistake does not spread.
            } catch (Fault fault) {
                findings.add(fault.finding);
            }
        }
        return statements;
    }

    /** Anything else that begins with CREATE is for the database and has no business in a policy. */
    private PolicyStatement statement() {
        if (!take("CREATE")) {
            throw fault("a statement that is not known here", FORMS);
        }
        if (take("CONTEXT")) {
            return context();
        }
        if (take("VIEW")) {
            return view();
        }
        if (take("ASSERTION")) {
            return assertion();
        }
        throw fault("only contexts, views and assertions are created in a policy", FORMS);
    }

    private PolicyStatement context() {
        var parameters = new ArrayList<PolicyStatement.Parameter>();
        do {
            parameters.add(parameter());
        } while (takeSign(','));
        return new PolicyStatement.Context(parameters);
    }

    private PolicyStatement.Parameter parameter() {
        Token name = name("of a context parameter");
        int typeStart = next;
        while (next < tokens.size()
                // The comma in NUMERIC(10, 2) is within parentheses.
                && !(tokens.get(next).isSign(',') && tokens.get(next).depth() == 0)) {
            next++;
        }
        if (next == typeStart) {
            throw fault("the parameter " + name.text() + " has no type", "Write CREATE CONTEXT MyUId BIGINT.");
        }
        String type = chunk.blanked()
                .substring(tokens.get(typeStart).start(), tokens.get(next - 1).end());
        return new PolicyStatement.Parameter(name.text(), type, position(name));
    }

    private PolicyStatement view() {
        Token name = name("of the view");
        List<String> columns = takeSign('(') ? columns() : List.of();
        expectAs();
        Body query = body(next, chunk.end());
        // From the text with its comments; everything else here is of the text without.
        String description = Descriptions.above(chunk.source().text(), chunk.start());
        return new PolicyStatement.View(name.text(), description, columns, query, position(name));
    }

    private List<String> columns() {
        var columns = new ArrayList<String>();
        do {
            columns.add(name("of a column").text());
        } while (takeSign(','));
        if (!takeSign(')')) {
            throw fault("the list of columns is not closed", "Write CREATE VIEW v (a, b) AS …");
        }
        return columns;
    }

    private PolicyStatement assertion() {
        Token name = name("of the assertion");
        expectAs();
        int start = next;
        // The query's own end is not known here, as it is read by the database's reader later; so the words that
        // end it are looked for.
        while (next < tokens.size() && !isVerb("EMPTY") && !isVerb("CONTAINED", "IN")) {
            next++;
        }
        if (next == tokens.size()) {
            throw fault("the assertion says nothing about its query", FORMS);
        }
        Body left = body(start, tokens.get(next).start());
        Body right = isVerb("EMPTY") ? nothingAfterEmpty() : body(next + 3, chunk.end());
        return new PolicyStatement.Assertion(name.text(), left, right, position(name));
    }

    /** Null and not an empty query: there is nothing on the right. */
    private @Nullable Body nothingAfterEmpty() {
        next += 2;
        if (next < tokens.size()) {
            throw fault("text after IS EMPTY", "End the assertion there.");
        }
        return null;
    }

    /** Whether {@code IS} and these words follow, outside parentheses. No database's SQL has this after IS. */
    private boolean isVerb(String... words) {
        if (!tokens.get(next).isWord("IS") || tokens.get(next).depth() != 0) {
            return false;
        }
        for (int i = 0; i < words.length; i++) {
            int position = next + 1 + i;
            if (position >= tokens.size() || !tokens.get(position).isWord(words[i])) {
                return false;
            }
        }
        return true;
    }

    private Body body(int firstToken, int end) {
        int start = firstToken < tokens.size() ? tokens.get(firstToken).start() : end;
        Body body = Body.of(chunk.source(), chunk.blanked(), Math.min(start, end), end);
        if (body.isEmpty()) {
            next = Math.min(firstToken, tokens.size());
            // Here and not in the reader of SQL, which would say something about an unexpected end.
            throw fault("a query is missing", FORMS);
        }
        return body;
    }

    private void expectAs() {
        if (!take("AS")) {
            throw fault("AS is missing", FORMS);
        }
    }

    private boolean take(String word) {
        boolean found = next < tokens.size() && tokens.get(next).isWord(word);
        next += found ? 1 : 0;
        return found;
    }

    private boolean takeSign(char sign) {
        boolean found = next < tokens.size() && tokens.get(next).isSign(sign);
        next += found ? 1 : 0;
        return found;
    }

    private Token name(String whose) {
        if (next < tokens.size()
                && tokens.get(next).isName()
                && !tokens.get(next).text().isEmpty()) {
            return tokens.get(next++);
        }
        throw fault("the name " + whose + " is missing", FORMS);
    }

    private Fault fault(String message, String remedy) {
        int offset = next < tokens.size() ? tokens.get(next).start() : chunk.end();
        return new Fault(Finding.error(chunk.source().position(offset), message, remedy));
    }

    private Position position(Token token) {
        return chunk.source().position(token.start());
    }

    /** Leaves a statement at its first mistake; those of other statements are found all the same. */
    private static final class Fault extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Finding finding;

        Fault(Finding finding) {
            super(finding.message(), null, false, false);
            this.finding = finding;
        }
    }
}
