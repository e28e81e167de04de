/** The options of one connection: read, checked all at once, and typed. */
@NullMarked
package io.leeway.privoxy.internal.config;

import org.jspecify.annotations.NullMarked;
