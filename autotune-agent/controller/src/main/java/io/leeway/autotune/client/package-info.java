/** The controller's REST API for Java programs. */
@NullMarked
package io.leeway.autotune.client;

import org.jspecify.annotations.NullMarked;
