/**
 * What every command line needs: arguments, usage, progress, words, files that one has at a time. A copy of these sources, in a package of its own, is in
 * each product's jar, since products share no jar.
 */
@NullMarked
package io.leeway.console;

import org.jspecify.annotations.NullMarked;
