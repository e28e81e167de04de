package io.leeway.privoxy.internal.schema;

/**
 * How far the changes of a schema were known at some moment.
 *
 * <p>Two figures, as a doubt may turn out to be none: then the version stays, and what was decided stands.
 *
 * @param version rises when something else was found to be true of a table than before
 * @param doubts rises when somebody may have changed the schema
 */
public record SchemaMark(long version, long doubts) {

    /** Of a schema that never changes. */
    public static final SchemaMark NONE = new SchemaMark(0, 0);
}
