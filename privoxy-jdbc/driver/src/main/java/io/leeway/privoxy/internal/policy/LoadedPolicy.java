package io.leeway.privoxy.internal.policy;

import io.leeway.privoxy.internal.model.Policy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A policy that can be used.
 *
 * <p>Two of its parts are for the session's sake. A view over {@code now()} or {@code current_setting} shows what the
 * session makes of it, so SET is restricted while such a view is there ({@code PolicyMeaningIT}). And columns named in
 * conditions are not to be taken over by a new column of the same name, which {@code compared} tells.
 *
 * @param policy bound to the schema
 * @param hash of what the files say; comments and white space do not count
 * @param positions of contexts, views and assertions, by name; see {@link #position}
 * @param warnings what was noticed while reading it; {@link PolicyLint} looks closer
 * @param missingTables names, in parts, of tables that do not exist; what names one is not part of the policy now
 * @param compared words of the conditions, lower-case, also of what names a table or column that does not exist
 * @param asksSession whether what some view shows depends on the time or on settings of the session
 * @param asksSettings whether some view asks for settings by their names, or for what they say: the schema, for
 *     instance
 */
public record LoadedPolicy(
        Policy policy,
        String hash,
        Map<String, Position> positions,
        List<Finding> warnings,
        Set<List<String>> missingTables,
        Set<String> compared,
        boolean asksSession,
        boolean asksSettings) {

    public LoadedPolicy {
        compared = Set.copyOf(compared);
        missingTables = Set.copyOf(missingTables);
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(hash, "hash");
        positions = Map.copyOf(positions);
        warnings = List.copyOf(warnings);
    }

    /** Where a view, an assertion or, with a leading {@code ?}, a context parameter was created. */
    public Position position(String name) {
        // Names that only the checker made have no place in a file.
        return positions.getOrDefault(name, new Position("policy", 1, 1));
    }
}
