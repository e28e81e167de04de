/** What a program may implement: operations that updates are combined with, and places for snapshots. */
@NullMarked
package io.leeway.lazytables.spi;

import org.jspecify.annotations.NullMarked;
