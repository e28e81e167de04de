/** What keeps a server going: snapshots that are stored while it works, and an eye on processes that are gone. */
@NullMarked
package io.leeway.lazytables.internal.upkeep;

import org.jspecify.annotations.NullMarked;
