/**
 * Before deployment: a space of configurations, studies that search it by asking and telling, and the command that runs
 * the experiments (OPPerTune §1).
 */
@NullMarked
package io.leeway.autotune.lab;

import org.jspecify.annotations.NullMarked;
