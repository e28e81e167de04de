@NullMarked
package io.leeway.approx.flink;

import org.jspecify.annotations.NullMarked;
