@NullMarked
package io.leeway.benchmarks.hindex;

import org.jspecify.annotations.NullMarked;
