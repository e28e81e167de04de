@NullMarked
package io.leeway.lazytables.apps.lda;

import org.jspecify.annotations.NullMarked;
