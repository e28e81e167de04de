/** Where threads spend their time: the execution stacks of AutoPipelining §4.6. */
@NullMarked
package io.leeway.pipelining.internal.profile;

import org.jspecify.annotations.NullMarked;
