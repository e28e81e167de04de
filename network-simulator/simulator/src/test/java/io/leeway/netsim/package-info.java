@NullMarked
package io.leeway.netsim;

import org.jspecify.annotations.NullMarked;
