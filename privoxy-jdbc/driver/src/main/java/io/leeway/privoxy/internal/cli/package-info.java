/** The command line. */
@NullMarked
package io.leeway.privoxy.internal.cli;

import org.jspecify.annotations.NullMarked;
