/** Test support for every module: database servers, fakes, log capture and the house rules as tests. */
@NullMarked
package io.leeway.testkit;

import org.jspecify.annotations.NullMarked;
