/** Topic models: latent Dirichlet allocation by collapsed Gibbs sampling. */
@NullMarked
package io.leeway.lazytables.apps.lda;

import org.jspecify.annotations.NullMarked;
