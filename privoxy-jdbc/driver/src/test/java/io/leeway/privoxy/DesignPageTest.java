package io.leeway.privoxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DesignPageTest {

    private static final Pattern ANSWER = Pattern.compile("\\| `(\\w+)\\.(\\w+)` \\|");
    private static final Pattern KEEPER = Pattern.compile("`(\\w+)(?:\\.\\w+)*\\.(\\w+)`");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w+)`");
    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));
    private static final Path SOURCES = ROOT.resolve("privoxy-jdbc/driver/src/main/java");

    @Test
    void everyAnswerOfTheDesignPageIsInTheCode() throws IOException, ClassNotFoundException {
        String page = Files.readString(ROOT.resolve("docs/privoxy/design.md"));
        String questions = page.substring(0, page.indexOf("\n## "));
        List<List<String>> answers = ANSWER.matcher(questions)
                .results()
                .map(answer -> List.of(answer.group(1), answer.group(2)))
                .toList();

        assertThat(answers).hasSize(10).doesNotHaveDuplicates();
        for (List<String> answer : answers) {
            assertThat(Arrays.stream(find(answer.get(0)).getDeclaredMethods()).map(Method::getName))
                    .as(answer.toString())
                    .contains(answer.get(1));
        }
    }

    /** Of each clause of the contract the page says who keeps it. */
    @Test
    void whoKeepsAClauseOfTheContractIsInTheCode() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/privoxy/design.md"));
        String contract = page.substring(page.indexOf("\n## The contract"), page.indexOf("\n## What is trusted"));
        List<String> clauses =
                contract.lines().filter(line -> line.startsWith("| ")).toList();
        assertThat(clauses).hasSizeGreaterThan(50);
        for (String clause : clauses) {
            String keepers = clause.substring(clause.lastIndexOf('|', clause.length() - 2));
            for (MatchResult keeper : KEEPER.matcher(keepers).results().toList()) {
                assertThat(sources(keeper.group(1)))
                        .as(keeper.group())
                        .anyMatch(source -> Pattern.compile("\\b" + keeper.group(2) + "\\(")
                                .matcher(source)
                                .find());
            }
            for (String name :
                    NAME.matcher(keepers).results().map(found -> found.group(1)).toList()) {
                assertThat(sources(name)).as(name).isNotEmpty();
            }
        }
    }

    private static List<String> sources(String type) throws IOException {
        var found = new ArrayList<String>();
        for (String module : List.of("driver", "solvers")) {
            Path sources = ROOT.resolve("privoxy-jdbc").resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(each -> each.endsWith(type + ".java")).toList()) {
                    found.add(Files.readString(file));
                }
            }
        }
        return found;
    }

    /** There is one of that name: an answer that could be two places is none. */
    private static Class<?> find(String name) throws IOException, ClassNotFoundException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> found =
                    files.filter(file -> file.endsWith(name + ".java")).toList();
            assertThat(found).as("classes of the name %s", name).hasSize(1);
            String path = SOURCES.relativize(found.get(0)).toString();
            String type = path.substring(0, path.length() - ".java".length())
                    .replace('/', '.')
                    .replace('\\', '.');
            return Class.forName(type, false, DesignPageTest.class.getClassLoader());
        }
    }
}
