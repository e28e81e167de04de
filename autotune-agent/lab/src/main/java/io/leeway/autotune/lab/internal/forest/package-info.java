/** Regression trees: forests, boosted quantiles, and the importance of parameters. */
@NullMarked
package io.leeway.autotune.lab.internal.forest;

import org.jspecify.annotations.NullMarked;
