@NullMarked
package io.leeway.benchmarks.netsim;

import org.jspecify.annotations.NullMarked;
