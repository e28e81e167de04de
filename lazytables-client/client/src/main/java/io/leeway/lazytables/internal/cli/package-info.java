/** The command line. */
@NullMarked
package io.leeway.lazytables.internal.cli;

import org.jspecify.annotations.NullMarked;
