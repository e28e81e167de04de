/** What checking costs, on a real PostgreSQL. */
@NullMarked
package io.leeway.benchmarks.privoxy;

import org.jspecify.annotations.NullMarked;
