package io.leeway.privoxy.internal.cache.file;

import io.leeway.privoxy.internal.cache.Fingerprint;
import io.leeway.privoxy.internal.cache.file.Token.Kind;
import io.leeway.privoxy.internal.model.Schema;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A file of templates: what they were proved under, the templates, and signatures of all that stands before them.
 *
 * <p>What is signed are the words of the file, joined by single blanks: comments, line ends and indentation may change,
 * nothing else.
 *
 * <p>Templates that do not fit the schema do not make the file unreadable: after a migration most of them hold as
 * before.
 *
 * @param fingerprint of the policy and schema
 * @param templates that fit the schema
 * @param unreadable those that do not
 * @param signatures at the end
 * @param content what is signed
 */
public record TemplateFile(
        Fingerprint fingerprint,
        List<ReviewedTemplate> templates,
        List<Unreadable> unreadable,
        List<FileSignature> signatures,
        String content) {

    private static final int FORMAT = 1;
    private static final List<String> EXPLANATION = List.of(
            "-- Decision templates. Each says: whenever a request has this context and has seen such rows, this query may",
            "-- be answered, for every user and every value of the names in capitals; * stands for anything at all.");

    public TemplateFile {
        templates = List.copyOf(templates);
        unreadable = List.copyOf(unreadable);
        signatures = List.copyOf(signatures);
    }

    /**
     * A template that could not be read under the present schema.
     *
     * @param id as the file gives it, or empty
     */
    public record Unreadable(String id, int line, String reason) {}

    /**
     * Writes templates.
     *
     * @return how many were left out because they have no text (values without literal)
     */
    public static int write(Writer writer, Fingerprint fingerprint, List<ReviewedTemplate> templates, Schema schema)
            throws IOException {
        TemplateText text = new TemplateText(schema);
        Layout head = new Layout();
        EXPLANATION.forEach(line -> head.line(0, line));
        head.line(0, "privoxy templates format " + FORMAT)
                .line(0, "policy #" + fingerprint.policy())
                .line(0, "schema #" + fingerprint.schema());
        writer.write(head.toString());
        int leftOut = 0;
        for (ReviewedTemplate template : templates) {
            String printed = text.print(template);
            if (printed == null) {
                leftOut++;
            } else {
                writer.write("\n" + printed);
            }
        }
        return leftOut;
    }

    /** Reads a file. */
    public static TemplateFile read(Reader reader, TableLookup tables) throws IOException, TemplateSyntaxException {
        StringWriter text = new StringWriter();
        reader.transferTo(text);
        return parse(text.toString(), tables);
    }

    private static TemplateFile parse(String text, TableLookup tables) throws TemplateSyntaxException {
        List<Token> tokens = Tokenizer.tokens(text);
        TokenCursor cursor = new TokenCursor(tokens);
        Fingerprint fingerprint = head(cursor);
        List<ReviewedTemplate> templates = new ArrayList<>();
        List<Unreadable> unreadable = new ArrayList<>();
        while (cursor.peek().isWord("template")) {
            TemplateParser.Parsed parsed = new TemplateParser(cursor, tables).parse();
            String fault = fault(parsed);
            if (parsed.template() == null || !fault.isEmpty()) {
                unreadable.add(new Unreadable(parsed.id(), parsed.line(), fault));
            } else {
                templates.add(parsed.template());
            }
        }
        // The words as they stand, not what was understood of them: a signature covers what a reviewer saw.
        String content =
                tokens.subList(0, cursor.position()).stream().map(Token::raw).collect(Collectors.joining(" "));
        return new TemplateFile(fingerprint, templates, unreadable, signatures(cursor), content);
    }

    /**
     * An id is made of the content, so a template that was edited under its old number is noticed even in a file
     * without signatures.
     */
    private static String fault(TemplateParser.Parsed parsed) {
        if (parsed.template() == null) {
            return parsed.fault();
        }
        String id = parsed.template().template().id();
        return parsed.id().isEmpty() || parsed.id().equals(id)
                ? ""
                : "its content was changed: it would be #" + id + "; leave the number out if that is meant";
    }

    private static Fingerprint head(TokenCursor cursor) throws TemplateSyntaxException {
        cursor.expectWords("privoxy", "templates", "format");
        Token format = cursor.take(Kind.NUMBER, "the number of the format");
        if (!format.text().equals(Integer.toString(FORMAT))) {
            // A later format may say more than this version understands.
            throw new TemplateSyntaxException(
                    format.line(), format.column(), "format " + format.text() + " is not known to this version");
        }
        cursor.expectWords("policy");
        String policy = cursor.take(Kind.HASH, "the policy's hash").text();
        cursor.expectWords("schema");
        return new Fingerprint(
                policy, cursor.take(Kind.HASH, "the schema's hash").text());
    }

    /** Behind all that they sign; anything behind them would be unsigned and is an error. */
    private static List<FileSignature> signatures(TokenCursor cursor) throws TemplateSyntaxException {
        List<FileSignature> signatures = new ArrayList<>();
        while (cursor.takeWords("signature", "ed25519", "key")) {
            String key = cursor.take(Kind.HASH, "the key's number").text();
            cursor.expectWords("value");
            signatures.add(new FileSignature(
                    key, cursor.take(Kind.STRING, "the signature").text()));
        }
        if (cursor.peek().kind() != Kind.END) {
            throw cursor.expected("a template, a signature or the end of the file");
        }
        return signatures;
    }

    /** The bytes that are signed. */
    byte[] signedBytes() {
        return content.getBytes(StandardCharsets.UTF_8);
    }
}
