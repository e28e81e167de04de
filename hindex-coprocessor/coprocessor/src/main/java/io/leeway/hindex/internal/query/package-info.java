/** From conditions to ranges of an index table, and pages; free of HBase. */
@NullMarked
package io.leeway.hindex.internal.query;

import org.jspecify.annotations.NullMarked;
