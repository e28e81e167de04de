/** Knobs outside of a JVM: control groups, network, Redis, memcached, PostgreSQL, files and commands, Kubernetes. */
@NullMarked
package io.leeway.autotune.internal.outside;

import org.jspecify.annotations.NullMarked;
