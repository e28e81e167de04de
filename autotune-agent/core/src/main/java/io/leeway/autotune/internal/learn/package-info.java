/** The learners of SelfTune and OPPerTune, pure: rewards in, points out; randomness follows from a seed and the number of the round. */
@NullMarked
package io.leeway.autotune.internal.learn;

import org.jspecify.annotations.NullMarked;
