/** Settings, the roster of members, keys and the register of persons. */
@NullMarked
package io.leeway.eppi.internal.config;

import org.jspecify.annotations.NullMarked;
