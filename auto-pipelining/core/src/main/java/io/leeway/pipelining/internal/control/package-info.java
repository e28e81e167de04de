/** Trying, keeping and taking back: the control loop of AutoPipelining §4.3 and §4.5. */
@NullMarked
package io.leeway.pipelining.internal.control;

import org.jspecify.annotations.NullMarked;
