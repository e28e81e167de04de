package io.leeway.lazybase.internal.pipeline;

/** Stages of the pipeline, in order. */
public enum Stage {
    INGEST,
    REMAP,
    SORT,
    MERGE,
    AUTHORITY
}
