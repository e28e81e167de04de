@NullMarked
package io.leeway.lazytables.internal.hadoop;

import org.jspecify.annotations.NullMarked;
