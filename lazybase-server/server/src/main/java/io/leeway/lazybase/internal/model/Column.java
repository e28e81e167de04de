package io.leeway.lazybase.internal.model;

/**
 * A column of a table. Its number stays when it is renamed, and is never given to another column of the table.
 *
 * @param id number within the table, from 1; 0 is the hidden time of the row's last update
 * @param name as users type it
 * @param type what its values are
 * @param precision digits of a decimal or characters of a varchar; 0 if there is no limit
 * @param scale digits of a decimal after the point
 * @param notNull whether NULL is refused
 */
public record Column(int id, String name, ColumnType type, int precision, int scale, boolean notNull) {

    /** Number of the hidden column with the time of a row's last update, in milliseconds since 1970. */
    public static final int UPDATED = 0;

    /** The same column under another name. */
    public Column renamed(String newName) {
        return new Column(id, newName, type, precision, scale, notNull);
    }
}
