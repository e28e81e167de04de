package io.leeway.privoxy.internal.sql;

import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.List;
import java.util.function.Consumer;

/** Text being printed, with names and literals in the dialect's notation. */
final class PrinterOutput {

    private final StringBuilder text = new StringBuilder();
    private final SqlOptions options;

    PrinterOutput(SqlOptions options) {
        this.options = options;
    }

    SqlOptions options() {
        return options;
    }

    boolean isPostgres() {
        return options.dialect() == Dialect.POSTGRESQL;
    }

    boolean isH2() {
        return options.dialect() == Dialect.H2;
    }

    boolean isMariaDb() {
        return options.dialect() == Dialect.MARIADB;
    }

    PrinterOutput put(String part) {
        text.append(part);
        return this;
    }

    /** Parts with commas between them. */
    <T> PrinterOutput list(List<T> parts, Consumer<T> printer) {
        for (int i = 0; i < parts.size(); i++) {
            if (i > 0) {
                text.append(", ");
            }
            printer.accept(parts.get(i));
        }
        return this;
    }

    PrinterOutput name(Name name) {
        char quote = isMariaDb() ? '`' : '"';
        text.append(quote)
                .append(name.text()
                        .replace(String.valueOf(quote), String.valueOf(quote).repeat(2)))
                .append(quote);
        return this;
    }

    PrinterOutput names(List<Name> names) {
        return put("(").list(names, this::name).put(")");
    }

    PrinterOutput qualifiedName(QualifiedName name) {
        for (int i = 0; i < name.parts().size(); i++) {
            if (i > 0) {
                text.append('.');
            }
            name(name.parts().get(i));
        }
        return this;
    }

    /** A function's name, as it was written: its quotes may matter. */
    PrinterOutput functionName(QualifiedName name) {
        for (int i = 0; i < name.parts().size(); i++) {
            if (i > 0) {
                text.append('.');
            }
            Name part = name.parts().get(i);
            if (part.quoted()) {
                name(part);
            } else {
                text.append(part.raw());
            }
        }
        return this;
    }

    PrinterOutput string(String value) {
        text.append('\'');
        boolean escapes = isMariaDb() && options.backslashEscapes();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\'') {
                text.append("''");
            } else if (escapes && c == '\\') {
                text.append("\\\\");
            } else if (escapes && c == 0) {
                text.append("\\0");
            } else {
                text.append(c);
            }
        }
        text.append('\'');
        return this;
    }

    PrinterOutput literal(LiteralKind kind, String value) {
        switch (kind) {
            case INTEGER, DECIMAL, FLOAT, BOOLEAN, NULL -> text.append(value);
            case STRING -> string(value);
            case NATIONAL_STRING -> put("N").string(value);
            case DATE -> put("DATE ").string(value);
            case TIME -> put("TIME ").string(value);
            case TIME_TZ -> put("TIME WITH TIME ZONE ").string(value);
            case TIMESTAMP -> put("TIMESTAMP ").string(value);
            case TIMESTAMP_TZ -> put("TIMESTAMP WITH TIME ZONE ").string(value);
            case HEX -> put("X'").put(value).put("'");
            case HEX_NUMBER -> put("0x").put(value);
            case BIT -> put("B'").put(value).put("'");
        }
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
