@NullMarked
package io.leeway.console;

import org.jspecify.annotations.NullMarked;
