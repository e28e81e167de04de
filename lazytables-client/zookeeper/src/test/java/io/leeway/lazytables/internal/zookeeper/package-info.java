@NullMarked
package io.leeway.lazytables.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
