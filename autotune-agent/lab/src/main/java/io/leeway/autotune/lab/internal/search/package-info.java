/** Optimisers: pure functions of what was tried, of the budget and of a seed. */
@NullMarked
package io.leeway.autotune.lab.internal.search;

import org.jspecify.annotations.NullMarked;
