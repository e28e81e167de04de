package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Inclusion;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Policy;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.View;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * SHA-256 over the meaning of templates, policies and tables: names of views and constraints, comments and origins do
 * not count. Every item is written with a tag and every list with its length, so that different content gives different
 * bytes.
 *
 * <p>{@code hashCode} would not do: it may differ between versions of the code and is short enough to be met on
 * purpose, while a signed file is believed without proof where this hash is the same.
 */
final class StableHash {

    private final MessageDigest digest;

    private StableHash() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    static String of(Template template) {
        StableHash hash = new StableHash();
        hash.union(template.goal());
        hash.patterns(template.arguments());
        hash.list(template.context().entrySet(), parameter -> {
            hash.text(parameter.getKey());
            hash.pattern(parameter.getValue());
        });
        hash.list(template.premises(), premise -> {
            hash.query(premise.query());
            hash.patterns(premise.arguments());
            hash.patterns(premise.row());
        });
        hash.list(template.notNull(), hash::number);
        hash.list(template.comparisons(), comparison -> {
            hash.text(comparison.operator().name());
            hash.pattern(comparison.left());
            hash.pattern(comparison.right());
        });
        return hash.hex();
    }

    /**
     * The order of views counts, although it means nothing: files that say the same in another order are proved anew,
     * which is only slow.
     */
    static String of(Policy policy) {
        StableHash hash = new StableHash();
        hash.list(new TreeMap<>(policy.context()).entrySet(), parameter -> {
            hash.text(parameter.getKey());
            hash.type(parameter.getValue());
        });
        hash.list(policy.views().stream().map(View::query).toList(), hash::union);
        hash.list(policy.inclusions(), hash::inclusion);
        return hash.hex();
    }

    /** Of tables in the order given, and the names of those that are not known. */
    static String of(List<Table> tables, List<String> unknown) {
        StableHash hash = new StableHash();
        hash.list(tables, hash::table);
        hash.list(unknown, hash::text);
        return hash.hex();
    }

    private String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Fixed width, and lengths before texts: otherwise two different lists could give the same bytes. */
    private void number(int number) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(bytes.length);
        digest.update(bytes);
    }

    private <T> void list(Collection<T> items, Consumer<T> each) {
        number(items.size());
        items.forEach(each);
    }

    /** Names of keys and foreign keys are not written, those of tables and columns are: queries name these. */
    private void table(Table table) {
        text(table.name());
        list(table.columns(), this::column);
        list(table.keys(), this::key);
        list(table.foreignKeys(), this::foreignKey);
    }

    private void column(Column column) {
        text(column.name());
        type(column.type());
        number(column.nullable() ? 1 : 0);
    }

    /** Of a column's type what proofs read: kind, equality, and whether it is whole. */
    private void type(ColumnType type) {
        text(type.kind().name());
        text(type.equality());
        number(type.whole() ? 1 : 0);
    }

    /** Names of keys are left out: renaming a constraint changes no proof. */
    private void key(Key key) {
        list(key.columns(), this::number);
        number(key.nullsDistinct() ? 1 : 0);
    }

    private void foreignKey(ForeignKey key) {
        list(key.columns(), this::number);
        text(key.target());
        list(key.targetColumns(), this::number);
        number(key.primary() ? 1 : 0);
    }

    private void inclusion(Inclusion inclusion) {
        union(inclusion.left());
        union(inclusion.right());
    }

    private void union(UnionQuery query) {
        list(query.disjuncts(), this::query);
    }

    /**
     * The order of rows and conditions counts: two orders are two texts of one query, which costs a proof and no more.
     */
    private void query(ConjunctiveQuery query) {
        list(query.atoms().stream().map(Atom::table).toList(), this::text);
        list(query.atoms().stream().map(Atom::arity).toList(), this::number);
        list(query.conditions(), this::condition);
        list(query.head(), this::term);
    }

    /** With a tag for each kind, or two kinds could give the same bytes. */
    private void condition(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            text(comparison.operator().name());
            term(comparison.left());
            term(comparison.right());
        } else if (condition instanceof Condition.NullTest test) {
            text(test.isNull() ? "null" : "notnull");
            term(test.term());
        } else if (condition instanceof Condition.OneOf oneOf) {
            text("in");
            term(oneOf.term());
            list(oneOf.options(), this::term);
        }
    }

    private void term(Term term) {
        if (term instanceof Term.Variable variable) {
            text("v");
            number(variable.index());
        } else if (term instanceof Term.Constant constant) {
            text("c");
            value(constant.value());
        } else if (term instanceof Term.Parameter parameter) {
            text("p");
            number(parameter.index());
        } else if (term instanceof Term.Context context) {
            text("x");
            text(context.name());
        } else if (term instanceof Term.Function function) {
            text("f");
            text(function.symbol());
            list(function.arguments(), this::term);
        }
    }

    private void patterns(List<Pattern> patterns) {
        list(patterns, this::pattern);
    }

    private void pattern(Pattern pattern) {
        if (pattern instanceof Pattern.Variable variable) {
            text("v");
            number(variable.index());
        } else if (pattern instanceof Pattern.Constant constant) {
            text("c");
            value(constant.value());
        } else {
            text("*");
        }
    }

    private void value(Value value) {
        text(value.kind().name());
        // A number of the same digits may be a Long or a BigDecimal, which the checker tells apart.
        text(value.raw().getClass().getSimpleName());
        text(value.raw().toString());
    }
}
