package io.leeway.privoxy.internal.policy;

/**
 * A query in a policy file, without comments.
 *
 * <p>What is wrong in the query is told by its place in the file, so the offset is kept.
 *
 * @param source its file
 * @param offset where it begins there
 * @param sql the query
 */
record Body(SourceText source, int offset, String sql) {

    /**
     * A stretch of a file, without the white space around it.
     *
     * <p>White space around it is the file's; offsets must lead to the query's first character.
     */
    static Body of(SourceText source, String blanked, int from, int to) {
        int start = Scanner.firstNonSpace(blanked, from, to);
        return new Body(source, start, blanked.substring(start, to).stripTrailing());
    }

    /** The place in the file of an offset in the query. */
    Position position(int offsetInSql) {
        // Offsets come from other readers, which may point behind the end; a message must not fail by that.
        return source.position(offset + Math.min(Math.max(offsetInSql, 0), sql.length()));
    }

    boolean isEmpty() {
        return sql.isEmpty();
    }
}
