package io.leeway.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ArgumentsTest {

    private static final Usage USAGE = new Usage(
            "tool",
            "copy",
            "copies",
            "FROM [TO]",
            List.of(),
            List.of(
                    new Usage.Option("force", "", "does it anyway"),
                    new Usage.Option("set", "NAME=VALUE", "sets"),
                    new Usage.Option("limit", "N", "at most")));

    @Test
    void optionsAreTakenInBothForms() throws CommandException {
        Arguments arguments = of("--limit", "5", "a", "--force", "--set=x=1", "--set", "y=2", "--", "--b");

        assertThat(arguments.get("limit")).isEqualTo("5");
        assertThat(arguments.has("force")).isTrue();
        assertThat(arguments.pairs("set")).isEqualTo(Map.of("x", "1", "y", "2"));
        assertThat(arguments.operands()).containsExactly("a", "--b");
        assertThat(arguments.inOrder())
                .extracting(Arguments.Given::name)
                .containsExactly("limit", "force", "set", "set");
    }

    @Test
    void whatIsMistypedIsNamedWithTheRemedy() {
        assertProblem("there is no option --limt, did you mean --limit? See: tool copy --help", "--limt", "5");
        assertProblem("--force takes no value. See: tool copy --help", "--force=yes");
        assertProblem("--limit needs a value: --limit N. See: tool copy --help", "--limit");
    }

    @Test
    void asManyOperandsAsAreNamed() throws CommandException {
        of("a").requireOperands();
        of("a", "b").requireOperands();
        assertThatThrownBy(() -> of().requireOperands()).hasMessageStartingWith("FROM is missing.");
        assertThatThrownBy(() -> of("a", "b", "c").requireOperands())
                .hasMessageStartingWith("\"c\" is one word too many.");
    }

    @Test
    void anOptionThatIsGivenOnceIsNotGivenTwice() throws CommandException {
        Arguments arguments = of("--limit=1", "--limit=2");

        assertThat(arguments.all("limit")).containsExactly("1", "2");
        assertThatThrownBy(() -> arguments.get("limit")).hasMessageStartingWith("--limit is given more than once.");
    }

    private static void assertProblem(String message, String... words) {
        assertThatThrownBy(() -> of(words)).isInstanceOf(CommandException.class).hasMessage(message);
    }

    private static Arguments of(String... words) throws CommandException {
        return Arguments.of(USAGE, List.of(words));
    }
}
