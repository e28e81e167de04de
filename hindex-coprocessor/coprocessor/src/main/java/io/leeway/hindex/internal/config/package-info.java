/** Options, and the text form of definitions. */
@NullMarked
package io.leeway.hindex.internal.config;

import org.jspecify.annotations.NullMarked;
