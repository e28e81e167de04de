/**
 * Before deployment: a space of configurations, studies that search it by asking and telling, and the command that runs
 * the experiments (Gagan Somashekhar, "Performance Management of Large-Scale Microservices Applications", 2023, chapter
 * 3).
 */
@NullMarked
package io.leeway.autotune.lab;

import org.jspecify.annotations.NullMarked;
