/** Tests of the demo. */
@NullMarked
package io.leeway.demo;

import org.jspecify.annotations.NullMarked;
