/** Answers which rows have a value, checked against the base table. */
@NullMarked
package io.leeway.hindex.internal.read;

import org.jspecify.annotations.NullMarked;
