/** The command line: what operators do with indexes, in words. */
@NullMarked
package io.leeway.hindex.internal.cli;

import org.jspecify.annotations.NullMarked;
