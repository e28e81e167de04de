/** Statements that are drawn and held against what is true: by types of columns, and in two worlds. */
@NullMarked
package io.leeway.privoxy.internal.fuzz.oracle;

import org.jspecify.annotations.NullMarked;
