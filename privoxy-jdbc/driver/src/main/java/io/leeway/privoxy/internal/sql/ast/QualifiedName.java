package io.leeway.privoxy.internal.sql.ast;

import java.util.List;

/** A name with its qualifiers, outermost first: {@code catalogue.schema.table}. Never empty. */
public record QualifiedName(List<Name> parts, int position) implements Node {
    public QualifiedName {
        parts = List.copyOf(parts);
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a name has at least one part");
        }
    }

    /** The innermost part, as {@code table} of {@code schema.table}. */
    public Name last() {
        return parts.get(parts.size() - 1);
    }

    /** Whether there is no qualifier. */
    public boolean isSimple() {
        return parts.size() == 1;
    }

    @Override
    public String toString() {
        var text = new StringBuilder(parts.get(0).text());
        for (int i = 1; i < parts.size(); i++) {
            text.append('.').append(parts.get(i).text());
        }
        return text.toString();
    }
}
