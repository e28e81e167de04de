package io.leeway.hindex.internal.admin;

import io.leeway.hindex.internal.config.Options;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** The options of a table: from its attributes, and from the site file. */
public final class TableOptions {

    private TableOptions() {}

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException naming all that is wrong
     */
    public static Options of(Configuration site, TableDescriptor table) {
        return Options.of(settings(site), attributes(table));
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
