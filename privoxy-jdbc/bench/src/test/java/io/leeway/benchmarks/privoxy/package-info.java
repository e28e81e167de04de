@NullMarked
package io.leeway.benchmarks.privoxy;

import org.jspecify.annotations.NullMarked;
