@NullMarked
package io.leeway.lazytables.apps.pagerank;

import org.jspecify.annotations.NullMarked;
