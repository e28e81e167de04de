/** YAML whose faults are told all at once, each with its line. */
@NullMarked
package io.leeway.autotune.lab.internal.yaml;

import org.jspecify.annotations.NullMarked;
