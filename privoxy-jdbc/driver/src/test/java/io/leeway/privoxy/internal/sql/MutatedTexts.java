package io.leeway.privoxy.internal.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Proper queries with a word put in, taken out, exchanged or moved, so that what only one side knows of a dialect comes up:
 * a word that begins a clause here and is an alias there.
 */
final class MutatedTexts {

    private static final Pattern TOKENS = Pattern.compile(
            "'[^']*'|\"[^\"]*\"|`[^`]*`|\\$\\$.*?\\$\\$|[\\p{Alpha}_][\\w$]*|\\d[\\d.]*|[-+*/<>=~!@#%^&|?:]+|\\s+|.",
            Pattern.DOTALL);

    private final List<List<String>> queries;
    private final List<String> words;
    private final RandomGenerator random;

    MutatedTexts(List<String> queries, List<String> words, RandomGenerator random) {
        this.queries = queries.stream().map(MutatedTexts::split).toList();
        this.words = words;
        this.random = random;
    }

    private static List<String> split(String query) {
        var tokens = new ArrayList<String>();
        var matcher = TOKENS.matcher(query);
        while (matcher.find()) {
            if (!matcher.group().isBlank()) {
                tokens.add(matcher.group());
            }
        }
        return tokens;
    }

    String next() {
        var tokens = new ArrayList<>(pick(queries));
        int changes = 1 + random.nextInt(2) * random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            change(tokens);
        }
        return String.join(" ", tokens);
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private void change(List<String> tokens) {
        int place = random.nextInt(tokens.size());
        switch (random.nextInt(8)) {
            case 0 -> {
                if (tokens.size() > 2) {
                    tokens.remove(place);
                }
            }
            case 1 -> tokens.set(place, pick(words));
            case 2 -> tokens.add(place, tokens.get(random.nextInt(tokens.size())));
            case 3 -> {
                List<String> other = pick(queries);
                int from = random.nextInt(other.size());
                int to = Math.min(other.size(), from + 1 + random.nextInt(6));
                tokens.addAll(place, other.subList(from, to));
            }
            case 4 -> tokens.set(place, pick(pick(queries)));
            case 5 -> {
                int end = Math.min(tokens.size(), place + 1 + random.nextInt(4));
                var moved = new ArrayList<>(tokens.subList(place, end));
                tokens.subList(place, end).clear();
                tokens.addAll(tokens.isEmpty() ? 0 : random.nextInt(tokens.size()), moved);
            }
            default -> tokens.add(place + random.nextInt(2), pick(words));
        }
    }
}
