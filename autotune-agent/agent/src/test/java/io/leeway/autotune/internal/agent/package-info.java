@NullMarked
package io.leeway.autotune.internal.agent;

import org.jspecify.annotations.NullMarked;
