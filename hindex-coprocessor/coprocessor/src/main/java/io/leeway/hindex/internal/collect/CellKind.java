package io.leeway.hindex.internal.collect;

/** Kinds of cells, in the order in which the store sorts cells of one column and timestamp. */
public enum CellKind {
    /** Masks all puts of the row and family up to its timestamp. */
    DELETE_FAMILY,
    /** Masks all puts of the column up to its timestamp. */
    DELETE_COLUMN,
    /** Masks the puts of the row and family with just its timestamp. */
    DELETE_FAMILY_VERSION,
    /** Masks the put of the column with just its timestamp. */
    DELETE_VERSION,
    /** A value. */
    PUT;

    /**
     * The kind of a cell by the store's type code.
     *
     * <p>The codes are HBase's, and stand in its files.
     */
    public static CellKind of(byte code) {
        return switch (code) {
            case 4 -> PUT;
            case 8 -> DELETE_VERSION;
            case 10 -> DELETE_FAMILY_VERSION;
            case 12 -> DELETE_COLUMN;
            case 14 -> DELETE_FAMILY;
            default ->
                throw new IllegalArgumentException("cell type " + code
                        + " is not known; this version of the store is newer than the index's code");
        };
    }

    /** Whether it masks puts. */
    public boolean isDelete() {
        return this != PUT;
    }
}
