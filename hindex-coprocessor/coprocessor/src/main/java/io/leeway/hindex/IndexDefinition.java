package io.leeway.hindex;

import io.leeway.hindex.internal.config.DefinitionText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an index is: its columns with their encodings, what it covers, how it is kept. Immutable and thread-safe.
 *
 * <p>A row of the base table has an entry if it has the first column; later columns may be absent, and then sort before
 * all values (after them where the order is descending). A cell that is malformed counts as absent, unless the index is
 * strict: then the write is refused.
 *
 * @since 0.1
 */
public final class IndexDefinition {

    /** Key prefix of the table attributes that hold definitions: {@code hindex.index.<name>}. */
    public static final String ATTRIBUTE_PREFIX = "hindex.index.";

    /** The most versions of a cell that an index may follow. */
    public static final int MAX_VERSIONS = 1000;

    /** The most parts that an index may be salted into. */
    public static final int MAX_SALT = 256;

    private static final int MAX_COLUMNS = 32;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_-]{0,63}");

    private final String name;
    private final List<IndexColumn> columns;
    private final List<ColumnName> covered;
    private final int versions;
    private final IndexMode mode;
    private final int salt;
    private final boolean strict;
    private final IndexState state;

    private IndexDefinition(Builder builder) {
        this.name = builder.name;
        this.columns = List.copyOf(builder.columns);
        this.covered = List.copyOf(builder.covered);
        this.versions = builder.versions;
        this.mode = builder.mode;
        this.salt = builder.salt;
        this.strict = builder.strict;
        this.state = builder.state;
    }

    /** Starts the definition of an index with this name. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /**
     * Reads the text form, as it stands in the table attribute {@code hindex.index.<name>}.
     *
     * @throws IllegalDefinitionException with everything that is wrong
     */
    public static IndexDefinition parse(String name, String text) {
        return DefinitionText.parse(name, text);
    }

    /** A definition to change and build anew. */
    public Builder toBuilder() {
        var builder = new Builder(name)
                .versions(versions)
                .mode(mode)
                .salt(salt)
                .strict(strict)
                .state(state);
        builder.columns.addAll(columns);
        builder.covered.addAll(covered);
        return builder;
    }

    /** The name, unique within the table. */
    public String name() {
        return name;
    }

    /** The indexed columns, in the order of the key. */
    public List<IndexColumn> columns() {
        return columns;
    }

    /** Columns whose cells are copied into the entries. */
    public List<ColumnName> covered() {
        return covered;
    }

    /** How many of a cell's newest versions are found by their values. */
    public int versions() {
        return versions;
    }

    /** How it follows the table. */
    public IndexMode mode() {
        return mode;
    }

    /** Into how many parts the keys are spread; 0 if they are not. */
    public int salt() {
        return salt;
    }

    /** Whether a write with a malformed cell is refused, rather than not indexed. */
    public boolean isStrict() {
        return strict;
    }

    /** Where it is in its life. */
    public IndexState state() {
        return state;
    }

    /** The key of the table attribute that holds this definition. */
    public String attribute() {
        return ATTRIBUTE_PREFIX + name;
    }

    /** The name of the table that holds the entries, given the base table's, which may have a namespace. */
    public String indexTable(String baseTable) {
        return baseTable + ".hindex." + name;
    }

    /** The text form. */
    public String toText() {
        return DefinitionText.write(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IndexDefinition definition
                && name.equals(definition.name)
                && toText().equals(definition.toText());
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + toText().hashCode();
    }

    @Override
    public String toString() {
        return name + "(" + toText() + ")";
    }

    /** Puts a definition together. Not thread-safe. */
    public static final class Builder {

        private final String name;
        private final List<IndexColumn> columns = new ArrayList<>();
        private final List<ColumnName> covered = new ArrayList<>();
        private int versions = 1;
        private IndexMode mode = IndexMode.DEFERRED;
        private int salt;
        private boolean strict;
        private IndexState state = IndexState.BUILDING;

        private Builder(String name) {
            this.name = name;
        }

        /** Adds an indexed column. */
        public Builder column(IndexColumn column) {
            columns.add(column);
            return this;
        }

        /** Adds an indexed column by its names. */
        public Builder column(String family, String qualifier, Encoding encoding) {
            return column(new IndexColumn(ColumnName.of(family, qualifier), encoding));
        }

        /** Adds a column whose cells are copied into the entries. */
        public Builder cover(ColumnName column) {
            covered.add(column);
            return this;
        }

        /** Adds a covered column by its names. */
        public Builder cover(String family, String qualifier) {
            return cover(ColumnName.of(family, qualifier));
        }

        /** How many of a cell's newest versions are found by their values; 1 unless given. */
        public Builder versions(int count) {
            this.versions = count;
            return this;
        }

        /** How it follows the table; {@link IndexMode#DEFERRED} unless given. */
        public Builder mode(IndexMode newMode) {
            this.mode = newMode;
            return this;
        }

        /** Into how many parts the keys are spread, against one hot region; 0, for none, unless given. */
        public Builder salt(int parts) {
            this.salt = parts;
            return this;
        }

        /** Whether a write with a malformed cell is refused; no unless given. */
        public Builder strict(boolean refuses) {
            this.strict = refuses;
            return this;
        }

        /** Where it is in its life; {@link IndexState#BUILDING} unless given. */
        public Builder state(IndexState newState) {
            this.state = newState;
            return this;
        }

        /**
         * The definition.
         *
         * @throws IllegalDefinitionException with everything that is wrong
         */
        public IndexDefinition build() {
            List<String> problems = problems();
            if (!problems.isEmpty()) {
                throw new IllegalDefinitionException(name, problems);
            }
            return new IndexDefinition(this);
        }

        /** Everything that is wrong; empty if it can be built. */
        public List<String> problems() {
            var problems = new ArrayList<String>();
            if (!NAME.matcher(name).matches()) {
                problems.add("the name '" + name + "' is not one; use 1 to 64 letters, digits, _ and -, not - first");
            }
            if (columns.isEmpty() || columns.size() > MAX_COLUMNS) {
                problems.add(columns.size() + " columns; give 1 to " + MAX_COLUMNS + ", as columns=d:city:utf8");
            }
            repeated(problems);
            if (columns.stream()
                            .filter(column -> column.encoding().isMultiValued())
                            .count()
                    > 1) {
                problems.add("more than one column with several values; keep one, entries would be every pair");
            }
            severalColumns(problems);
            between("versions", versions, 1, MAX_VERSIONS, problems);
            if (salt == 1) {
                problems.add("salt is 1, which spreads nothing; give 0 for none or 2 to " + MAX_SALT);
            }
            between("salt", salt, 0, MAX_SALT, problems);
            return problems;
        }

        private void severalColumns(List<String> problems) {
            var names = new LinkedHashSet<ColumnName>();
            columns.forEach(column -> names.add(column.name()));
            names.addAll(covered);
            for (ColumnName column : names) {
                byte[] first = names.iterator().next().family();
                if (!column.isFamily(first, 0, first.length)) {
                    problems.add("column " + column + " is of another family than "
                            + names.iterator().next() + "; an index has columns of one family, since a compaction that"
                            + " repairs it reads one");
                }
            }
            if (names.size() > 1 && versions > 1) {
                problems.add("versions is " + versions + " for several columns, of which only the newest versions are"
                        + " found; give 1, or index one column");
            }
        }

        private void repeated(List<String> problems) {
            var seen = new HashSet<String>();
            for (IndexColumn column : columns) {
                if (!seen.add(column.toString())) {
                    problems.add("column " + column + " is indexed twice; name it once");
                }
            }
            var copied = new HashSet<ColumnName>();
            for (ColumnName column : covered) {
                if (!copied.add(column)) {
                    problems.add("column " + column + " is covered twice; name it once");
                }
            }
        }

        private static void between(String what, int value, int min, int max, List<String> problems) {
            if (value < min || value > max) {
                problems.add(what + " is " + value + "; give " + min + " to " + max);
            }
        }
    }
}
