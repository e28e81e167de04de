/** Experiments on a real application: its file, its processes, its load, its journal. */
@NullMarked
package io.leeway.autotune.lab.internal.run;

import org.jspecify.annotations.NullMarked;
