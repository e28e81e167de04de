package io.leeway.hindex.internal.read;

import java.io.IOException;

/**
 * Gives hits page by page: one kind asks regions of the index, the other reads entries and rows itself. Used by one
 * thread at a time; holds nothing open between pages.
 */
@FunctionalInterface
interface PageSource {

    /** The next page; not asked for more after the last. */
    Page next() throws IOException;
}
