package io.leeway.lazytables.apps;

import java.util.Map;

/**
 * Which part of a run that is spread over processes this one is: the instance with this number, on servers that are processes, too.
 *
 * @param instance its number, from 0
 * @param resume whether it goes on where the process of this number ended
 * @param options of LazyTables, among them the servers
 */
public record Place(int instance, boolean resume, Map<String, String> options) {

    /** Copies. */
    public Place {
        options = Map.copyOf(options);
    }
}
