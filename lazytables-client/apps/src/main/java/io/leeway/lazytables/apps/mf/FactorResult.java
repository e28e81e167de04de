package io.leeway.lazytables.apps.mf;

/**
 * What a factorisation found.
 *
 * @param items the factors of items, one behind the other
 * @param rank how many numbers each has
 */
@SuppressWarnings("ArrayRecordComponent") // As large as the model, and compared by nobody.
public record FactorResult(float[] items, int rank) {}
