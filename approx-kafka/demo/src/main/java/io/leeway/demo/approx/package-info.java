/** The demonstration of approx-kafka. */
@NullMarked
package io.leeway.demo.approx;

import org.jspecify.annotations.NullMarked;
