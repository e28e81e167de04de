package io.leeway.privoxy.internal.schema;

import io.leeway.privoxy.internal.model.Arbiters;
import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ForeignKey;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table while its description is read. Not thread-safe.
 *
 * <p>Databases tell columns, keys and foreign keys in queries of their own; this puts together what belongs to one
 * table, and drops what cannot be said of it.
 */
final class TableDraft {

    private final TableId id;
    private final Relation.Kind kind;
    private final List<Column> visible = new ArrayList<>();
    private final List<Column> hidden = new ArrayList<>();
    private final List<DraftKey> keys = new ArrayList<>();
    private final List<DraftKey> otherUniques = new ArrayList<>();
    private final Set<String> numbered = new HashSet<>();
    private final Set<String> stamped = new HashSet<>();
    private final Set<String> computed = new HashSet<>();
    private final Set<String> cascading = new HashSet<>();
    private final Set<Arbiters.Doing> doings = EnumSet.noneOf(Arbiters.Doing.class);
    private final List<DraftForeignKey> foreignKeys = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Relation.@Nullable Definition definition;
    private boolean inSnapshots = true;

    TableDraft(TableId id, Relation.Kind kind) {
        this.id = id;
        this.kind = kind;
    }

    TableId id() {
        return id;
    }

    Relation.Kind kind() {
        return kind;
    }

    void column(String name, ColumnType type, boolean nullable, boolean isHidden) {
        (isHidden ? hidden : visible).add(new Column(name, type, nullable));
    }

    void key(String name, List<String> columns, boolean primary, boolean nullsDistinct) {
        keys.add(new DraftKey(name, columns, primary, nullsDistinct));
    }

    /**
     * A unique index that is no key: of these columns, of which an unknown one has no name.
     *
     * <p>No proof uses it, but conflict clauses are asked about it: an insert strikes by every unique index
     * ({@link Arbiters}).
     */
    void otherUnique(String name, List<String> columns) {
        otherUniques.add(new DraftKey(name, columns, false, true));
    }

    /** A column that the database numbers. */
    void numbered(String column) {
        numbered.add(column);
    }

    /** A column that the database sets where an UPDATE gives a row other values. */
    void stamped(String column) {
        stamped.add(column);
    }

    /** A column of which the database may compute the value from others. */
    void computed(String column) {
        computed.add(column);
    }

    /** A column whose change the database carries into rows that refer to it. */
    void cascading(String column) {
        cascading.add(column);
    }

    /** What the database does by itself. */
    void does(Arbiters.Doing doing) {
        doings.add(doing);
    }

    /** The target is a draft, as its columns may be read later. */
    void foreignKey(String name, List<String> columns, TableDraft target, List<String> targetColumns) {
        foreignKeys.add(new DraftForeignKey(name, columns, target, targetColumns));
    }

    void definition(String sql, List<String> searchPath) {
        definition = new Relation.Definition(sql, searchPath);
    }

    /** Its rows are read as they are now, whatever snapshot the transaction has. */
    void outsideSnapshots() {
        inSnapshots = false;
    }

    void note(String text) {
        notes.add(text);
    }

    Column columnNamed(String name) {
        int position = position(name);
        return position < visible.size() ? visible.get(position) : hidden.get(position - visible.size());
    }

    Relation build() {
        var columns = new ArrayList<>(visible);
        // Hidden ones last, so that SELECT * is the first columns.
        columns.addAll(hidden);
        var table = new Table(id.canonical(), columns, builtKeys(), builtForeignKeys());
        return new Relation(
                table,
                kind,
                visible.size(),
                definition,
                arbiters(),
                inSnapshots,
                notes.stream().sorted().toList());
    }

    private Arbiters arbiters() {
        // What a write to a view strikes is its tables' matter.
        if (kind == Relation.Kind.VIEW) {
            return Arbiters.UNKNOWN;
        }
        var others = new ArrayList<Key>();
        otherUniques.forEach(unique -> others.add(other(unique)));
        // A key on a column that the account is not shown is no key to us, and an arbiter all the same.
        keys.stream().filter(key -> positions(key.columns).contains(-1)).forEach(unknown -> others.add(other(unknown)));
        others.sort(Comparator.comparing(Key::name));
        return new Arbiters(
                true,
                positionsOf(numbered),
                others,
                positionsOf(stamped),
                positionsOf(computed),
                positionsOf(cascading),
                doings);
    }

    private Set<Integer> positionsOf(Set<String> names) {
        return names.stream().map(this::position).collect(Collectors.toSet());
    }

    /** Without columns any row may be struck. */
    private Key other(DraftKey unique) {
        List<Integer> positions = positions(unique.columns);
        return new Key(unique.name, positions.contains(-1) ? List.of() : positions, true);
    }

    private List<Key> builtKeys() {
        keys.sort(DraftKey.ORDER);
        var seen = new HashSet<Set<Integer>>();
        var built = new ArrayList<Key>();
        for (DraftKey key : keys) {
            List<Integer> positions = positions(key.columns);
            // A second index on the same columns adds nothing but work.
            if (!positions.contains(-1) && seen.add(Set.copyOf(positions))) {
                built.add(new Key(key.name, positions, key.nullsDistinct || isOtherWithoutNulls(key)));
            }
        }
        return built;
    }

    /** Then it makes no difference what NULL counts as, and only the primary key is one in which it counts as a value. */
    private boolean isOtherWithoutNulls(DraftKey key) {
        return !key.primary
                && key.columns.stream().noneMatch(name -> columnNamed(name).nullable());
    }

    private boolean isPrimaryKey(List<String> columns) {
        return keys.stream()
                .anyMatch(key -> key.primary && Set.copyOf(key.columns).equals(Set.copyOf(columns)));
    }

    private List<ForeignKey> builtForeignKeys() {
        var built = new ArrayList<ForeignKey>();
        for (DraftForeignKey foreignKey : foreignKeys) {
            List<Integer> positions = positions(foreignKey.columns);
            List<Integer> targets = foreignKey.target.positions(foreignKey.targetColumns);
            // Half a reference says nothing; told in a note, as an operator can grant the column.
            if (positions.contains(-1) || targets.contains(-1)) {
                note("foreign key " + foreignKey.name + " is left out: its columns are not all visible to this user");
            } else if (!comparesAlike(foreignKey)) {
                note("foreign key " + foreignKey.name + " is left out: its two sides do not compare alike");
            } else {
                String target = foreignKey.target.id.canonical();
                boolean isPrimary = foreignKey.target.isPrimaryKey(foreignKey.targetColumns);
                built.add(new ForeignKey(foreignKey.name, positions, target, targets, isPrimary));
            }
        }
        built.sort((a, b) -> a.name().compareTo(b.name()));
        return built;
    }

    /**
     * Whether "equal" means the same on both sides; the referenced value is then known as well as the referring one.
     *
     * <p>Otherwise the referred row is not determined by the value: 'BOB' may refer to 'bob'. The chase follows a
     * reference through the equality of both columns, which has to be one.
     */
    private boolean comparesAlike(DraftForeignKey foreignKey) {
        for (int i = 0; i < foreignKey.columns.size(); i++) {
            ColumnType from = columnNamed(foreignKey.columns.get(i)).type();
            ColumnType to = foreignKey
                    .target
                    .columnNamed(foreignKey.targetColumns.get(i))
                    .type();
            if (from.kind() != to.kind() || !from.equality().equals(to.equality())) {
                return false;
            }
        }
        return true;
    }

    private List<Integer> positions(List<String> names) {
        return names.stream().map(this::position).toList();
    }

    private int position(String name) {
        int found = indexOf(visible, name);
        if (found >= 0) {
            return found;
        }
        found = indexOf(hidden, name);
        return found < 0 ? -1 : visible.size() + found;
    }

    private static int indexOf(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private record DraftKey(String name, List<String> columns, boolean primary, boolean nullsDistinct) {
        /** The primary key, then the short and strong ones; the name only makes it stable. */
        static final java.util.Comparator<DraftKey> ORDER = java.util.Comparator.comparing(
                        (DraftKey key) -> !key.primary)
                .thenComparing(key -> key.columns.size())
                .thenComparing(DraftKey::nullsDistinct)
                .thenComparing(DraftKey::name);
    }

    private record DraftForeignKey(String name, List<String> columns, TableDraft target, List<String> targetColumns) {}
}
