/** Files that are loaded whole into a table with indexes. */
@NullMarked
package io.leeway.hindex.internal.load;

import org.jspecify.annotations.NullMarked;
