@NullMarked
package io.leeway.it.hbase;

import org.jspecify.annotations.NullMarked;
