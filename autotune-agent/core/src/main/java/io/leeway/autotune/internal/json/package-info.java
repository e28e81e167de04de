/** Specifications, settings and states as JSON. */
@NullMarked
package io.leeway.autotune.internal.json;

import org.jspecify.annotations.NullMarked;
