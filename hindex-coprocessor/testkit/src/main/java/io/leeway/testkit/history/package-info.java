/** Histories of concurrent reads and writes, recorded and checked: a store with an index on its values. */
@NullMarked
package io.leeway.testkit.history;

import org.jspecify.annotations.NullMarked;
