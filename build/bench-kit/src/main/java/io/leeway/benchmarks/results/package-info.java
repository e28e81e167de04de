/** Results of benchmarks as data: one file a product, from which the tables in the documentation are made. */
@NullMarked
package io.leeway.benchmarks.results;

import org.jspecify.annotations.NullMarked;
