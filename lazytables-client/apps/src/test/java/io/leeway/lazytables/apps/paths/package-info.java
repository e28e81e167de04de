@NullMarked
package io.leeway.lazytables.apps.paths;

import org.jspecify.annotations.NullMarked;
