/** Knobs of hosts: found when they are used, read, written in the right order, looked at afterwards. */
@NullMarked
package io.leeway.autotune.internal.knobs;

import org.jspecify.annotations.NullMarked;
