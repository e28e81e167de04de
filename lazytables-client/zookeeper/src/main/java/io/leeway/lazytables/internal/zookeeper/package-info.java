/** ZooKeeper as the place where servers register and clients find them. */
@NullMarked
package io.leeway.lazytables.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
