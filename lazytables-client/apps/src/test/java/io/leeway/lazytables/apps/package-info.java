@NullMarked
package io.leeway.lazytables.apps;

import org.jspecify.annotations.NullMarked;
