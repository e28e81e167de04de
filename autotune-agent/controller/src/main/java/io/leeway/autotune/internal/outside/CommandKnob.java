package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.util.List;

/** A setting that one command prints and another one, with {@code {value}} in its arguments, changes. */
record CommandKnob(KnobSpec spec, List<String> reading, List<String> writing) implements OutsideKnob {

    static final String VALUE = "{value}";

    @Override
    public KnobValue read() throws IOException {
        return Values.parse(spec, Command.run(reading));
    }

    @Override
    public void write(KnobValue value) throws IOException {
        Command.run(writing.stream()
                .map(argument -> argument.replace(VALUE, value.toString()))
                .toList());
    }
}
