@NullMarked
package io.leeway.lazytables.apps.graph;

import org.jspecify.annotations.NullMarked;
