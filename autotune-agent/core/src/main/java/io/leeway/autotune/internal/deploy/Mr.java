package io.leeway.autotune.internal.deploy;

import io.leeway.autotune.spi.Resource;

/**
 * One resource of one instance, the MR of AutoTune.
 *
 * @param instance its name
 * @param resource of it
 */
public record Mr(String instance, Resource resource) {

    @Override
    public String toString() {
        return instance + "/" + resource;
    }
}
