@NullMarked
package io.leeway.pipelining.internal.queue;

import org.jspecify.annotations.NullMarked;
