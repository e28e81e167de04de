package io.leeway.lazybase.internal.sql;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Column;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A row as a JSON object whose fields are named as the columns: what is missing is NULL, what is no column is not looked at, and an object
 * or array within is a text of JSON. For one thread.
 */
final class JsonRow {

    private static final JsonFactory JSON = new JsonFactory();

    private final Map<String, Integer> places = new HashMap<>();
    private final @Nullable String[] values;

    JsonRow(List<Column> columns) {
        columns.forEach(column -> places.put(column.name(), places.size()));
        values = new String[columns.size()];
    }

    /** Adds one row; what it throws says what is wrong with the text. */
    void addTo(RowBuilder rows, byte[] bytes, int from, int to) {
        java.util.Arrays.fill(values, null);
        try (JsonParser in = JSON.createParser(bytes, from, to - from)) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new LazyBaseException(Code.BAD_COPY, "The row is no JSON object.");
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                Integer place = places.get(in.currentName());
                in.nextToken();
                if (place == null) {
                    in.skipChildren();
                } else {
                    values[place] = value(in);
                }
            }
            if (in.nextToken() != null) {
                throw new LazyBaseException(Code.BAD_COPY, "Something follows the JSON object.");
            }
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new LazyBaseException(Code.BAD_COPY, "The row is no JSON: " + message + ".", e);
        }
        for (String value : values) {
            rows.add(value);
        }
        rows.endRow();
    }

    private static @Nullable String value(JsonParser in) throws IOException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token.isScalarValue()) {
            return in.getText();
        }
        var text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            out.copyCurrentStructure(in);
        }
        return text.toString();
    }
}
