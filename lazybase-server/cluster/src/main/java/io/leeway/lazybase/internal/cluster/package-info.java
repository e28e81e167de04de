/** Which of several processes leads, as ZooKeeper says. */
@NullMarked
package io.leeway.lazybase.internal.cluster;

import org.jspecify.annotations.NullMarked;
