package io.leeway.hindex.internal.read;

import java.io.IOException;

/** Gives hits page by page. Used by one thread at a time; holds nothing open between pages. */
@FunctionalInterface
interface PageSource {

    /** The next page; not asked for more after the last. */
    Page next() throws IOException;
}
