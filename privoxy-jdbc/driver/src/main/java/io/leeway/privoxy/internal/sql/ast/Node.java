package io.leeway.privoxy.internal.sql.ast;

/** A part of a parsed statement. Immutable and thread-safe. */
public interface Node {

    /** Offset in the text at which the part is named: its first character, for an operator the operator's. */
    int position();
}
