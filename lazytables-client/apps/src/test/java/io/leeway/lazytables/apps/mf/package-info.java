@NullMarked
package io.leeway.lazytables.apps.mf;

import org.jspecify.annotations.NullMarked;
