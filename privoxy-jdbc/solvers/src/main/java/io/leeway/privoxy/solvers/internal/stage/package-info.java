/** The driver's stage of solvers: decides with the solvers that are there, and makes templates of what they prove. */
@NullMarked
package io.leeway.privoxy.solvers.internal.stage;

import org.jspecify.annotations.NullMarked;
