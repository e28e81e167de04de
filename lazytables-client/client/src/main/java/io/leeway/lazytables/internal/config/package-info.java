/** The options of a process, read and checked together. */
@NullMarked
package io.leeway.lazytables.internal.config;

import org.jspecify.annotations.NullMarked;
