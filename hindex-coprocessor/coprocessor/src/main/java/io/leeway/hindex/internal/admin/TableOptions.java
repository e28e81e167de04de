package io.leeway.hindex.internal.admin;

import io.leeway.hindex.IndexDefinition;
import io.leeway.hindex.internal.config.Options;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The options of a table: from its attributes, and from the site file, of which the attributes count more. Between
 * HBase's objects and {@link Options}, which knows nothing of HBase. Without state.
 */
public final class TableOptions {

    private static final Logger LOG = LoggerFactory.getLogger("io.leeway.hindex");

    private TableOptions() {}

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public static Options of(Configuration site, TableDescriptor table) {
        return Options.of(settings(site), attributes(table));
    }

    /**
     * Refuses what a table is to have if it names options that there are not, or values that are not allowed.
     *
     * @param before the table as it is, whose own faults are no reason to refuse another change; null if it is new
     * @throws IllegalArgumentException naming all that is wrong
     */
    public static void require(@Nullable TableDescriptor before, TableDescriptor after) {
        Map<String, String> given = options(after);
        if (before == null || !given.equals(options(before))) {
            Options.of(Map.of(), given);
        }
    }

    /** Those that are no definitions of indexes, whose names begin alike. */
    private static Map<String, String> options(TableDescriptor table) {
        Map<String, String> options = attributes(table);
        options.keySet().removeIf(key -> key.startsWith(IndexDefinition.ATTRIBUTE_PREFIX));
        return options;
    }

    /**
     * Reads what can be read, and warns of the rest: for a server, to which a mistake in an option is no reason to
     * stop.
     */
    public static Options allowed(Configuration site, TableDescriptor table) {
        Options.Reading reading = Options.read(settings(site), attributes(table));
        if (!reading.problems().isEmpty()) {
            LOG.warn(
                    "options of {} are not as they must be, and the site's or the preset ones hold in their place: {}",
                    table.getTableName(),
                    String.join("; ", reading.problems()));
        }
        return reading.options();
    }

    /** Those of the site file alone, for who serves several tables. */
    public static Options ofSite(Configuration site) {
        return Options.of(settings(site), Map.of());
    }

    private static Map<String, String> settings(Configuration site) {
        var ofSite = new HashMap<String, String>();
        // One by one: what HBase gives to coprocessors answers nothing when it is asked for a prefix.
        for (Map.Entry<String, String> setting : site) {
            if (setting.getKey().startsWith(Options.PREFIX)) {
                ofSite.put(setting.getKey(), setting.getValue());
            }
        }
        return ofSite;
    }

    private static Map<String, String> attributes(TableDescriptor table) {
        var attributes = new HashMap<String, String>();
        table.getValues().forEach((key, value) -> {
            String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
            if (name.startsWith(Options.PREFIX)) {
                attributes.put(name, Bytes.toString(value.get(), value.getOffset(), value.getLength()));
            }
        });
        return attributes;
    }
}
