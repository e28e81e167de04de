/** Pages for people. */
@NullMarked
package io.leeway.autotune.lab.internal.report;

import org.jspecify.annotations.NullMarked;
