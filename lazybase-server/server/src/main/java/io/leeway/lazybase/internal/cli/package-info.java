/** The command line. */
@NullMarked
package io.leeway.lazybase.internal.cli;

import org.jspecify.annotations.NullMarked;
