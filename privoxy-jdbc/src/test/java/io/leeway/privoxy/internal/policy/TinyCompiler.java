package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Atom;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.ConjunctiveQuery;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.schema.Relation;
import io.leeway.privoxy.internal.schema.TableSource;
import io.leeway.privoxy.internal.sql.UnsupportedSqlException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compiles {@code SELECT columns FROM tables [WHERE a = b AND …]}, enough for testing what is around a compiler.
 * Conditions compare qualified columns, {@code ?Parameters}, numbers and strings; {@code FALSE} is never true.
 */
final class TinyCompiler implements ViewCompiler {

    private final TableSource tables;

    TinyCompiler(TableSource tables) {
        this.tables = tables;
    }

    @Override
    public Compiled compile(String sql, Map<String, ColumnType> context) {
        return new Run(sql, tables).compile();
    }

    private static final class Run {

        private final String sql;
        private final TableSource tables;
        private final List<Token> tokens;
        private final Map<String, Atom> atoms = new LinkedHashMap<>();
        private final Map<String, Relation> relations = new LinkedHashMap<>();
        private int next;

        Run(String sql, TableSource tables) {
            this.sql = sql;
            this.tables = tables;
            this.tokens = Token.of(sql, 0, sql.length());
        }

        Compiled compile() {
            expect("SELECT");
            int list = next;
            while (!is("FROM")) {
                next++;
            }
            next++;
            do {
                table();
            } while (sign(','));
            int where = next;
            next = list;
            var head = new ArrayList<Term>();
            var columns = new ArrayList<String>();
            do {
                columns.add(tokens.get(next + (tokens.get(next + 1).isSign('.') ? 2 : 0))
                        .text());
                head.add(term());
            } while (sign(','));
            next = where;
            var conditions = new ArrayList<Condition>();
            var disjuncts = new ArrayList<ConjunctiveQuery>();
            if (conditions(conditions)) {
                disjuncts.add(new ConjunctiveQuery(List.copyOf(atoms.values()), conditions, head));
            }
            var names = relations.values().stream()
                    .map(relation -> relation.table().name())
                    .toList();
            return new Compiled(new UnionQuery(disjuncts), columns, java.util.Set.copyOf(names));
        }

        private void table() {
            Token name = tokens.get(next++);
            Relation relation = tables.find(List.of(name.text()), tables.searchPath());
            if (relation == null) {
                throw refuse("the table " + name.text() + ", which does not exist", name);
            }
            int first = atoms.values().stream().mapToInt(Atom::arity).sum();
            atoms.put(
                    name.text(),
                    new Atom(relation.table().name(), first, relation.table().arity()));
            relations.put(name.text(), relation);
        }

        private boolean conditions(List<Condition> conditions) {
            if (next == tokens.size()) {
                return true;
            }
            expect("WHERE");
            if (is("FALSE")) {
                return false;
            }
            do {
                Term left = term();
                if (!sign('=')) {
                    throw refuse("this condition", tokens.get(next));
                }
                conditions.add(new Condition.Comparison(Condition.Operator.EQUAL, left, term()));
            } while (take("AND"));
            return true;
        }

        private Term term() {
            Token token = tokens.get(next++);
            if (token.kind() == Token.Kind.PARAMETER) {
                return new Term.Context(token.text());
            }
            if (token.kind() == Token.Kind.STRING) {
                return new Term.Constant(Value.of(token.text()));
            }
            if (Character.isDigit(token.text().charAt(0))) {
                return new Term.Constant(Value.of(Long.parseLong(token.text())));
            }
            if (sign('.')) {
                return column(token.text(), tokens.get(next++));
            }
            for (String table : atoms.keySet()) {
                if (tables.column(relations.get(table).table(), token.text()) >= 0) {
                    return column(table, token);
                }
            }
            throw refuse("the column " + token.text() + ", which no table in sight has", token);
        }

        private Term column(String table, Token column) {
            Relation relation = relations.get(table);
            int position = relation == null ? -1 : tables.column(relation.table(), column.text());
            if (position < 0) {
                throw refuse("the column " + column.text() + ", which its table does not have", column);
            }
            return new Term.Variable(atoms.get(table).firstVariable() + position);
        }

        private UnsupportedSqlException refuse(String construct, Token token) {
            return UnsupportedSqlException.at(construct, sql, token.start());
        }

        private boolean is(String word) {
            return tokens.get(next).isWord(word);
        }

        private boolean take(String word) {
            boolean found = next < tokens.size() && is(word);
            next += found ? 1 : 0;
            return found;
        }

        private void expect(String word) {
            if (!take(word)) {
                throw refuse("this", tokens.get(next));
            }
        }

        private boolean sign(char sign) {
            boolean found = next < tokens.size() && tokens.get(next).isSign(sign);
            next += found ? 1 : 0;
            return found;
        }
    }
}
