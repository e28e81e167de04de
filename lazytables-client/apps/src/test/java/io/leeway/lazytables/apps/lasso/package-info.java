@NullMarked
package io.leeway.lazytables.apps.lasso;

import org.jspecify.annotations.NullMarked;
