package io.leeway.privoxy.internal.solver;

/** Which definition of compliance is asked about. */
public enum Form {
    /** Views that show no less show no fewer answers. Implies {@link #BASIC}, and is easier to prove. */
    STRONG,
    /** Views that show the same show the same answers: the definition. */
    BASIC
}
