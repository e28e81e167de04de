/** The command line. */
@NullMarked
package io.leeway.eppi.internal.cli;

import org.jspecify.annotations.NullMarked;
