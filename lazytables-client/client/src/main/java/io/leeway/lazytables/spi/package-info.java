/**
 * What a program may implement: operations that updates are combined with, places for snapshots, and registries of
 * servers.
 */
@NullMarked
package io.leeway.lazytables.spi;

import org.jspecify.annotations.NullMarked;
