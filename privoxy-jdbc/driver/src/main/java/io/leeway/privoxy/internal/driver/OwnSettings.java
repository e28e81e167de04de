package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the settings of a session for which views of the database may ask, and which are not read back: the
 * texts that set them ({@code SET app.tenant = 5}, {@code SET application_name = 'shop'}). Where a value is not certain
 * it is taken for one that no other session has, so that nothing is shared.
 *
 * <p>A database's view over {@code current_setting('app.tenant')} shows each tenant other rows: a fact read as one
 * tenant must not open rows of another one ({@code OwnSettingsIT}).
 */
final class OwnSettings {

    private static final AtomicLong UNLIKE_ALL = new AtomicLong();
    /** As long as the driver has the connection. */
    private static final Map<Object, OwnSettings> KEPT = Collections.synchronizedMap(new WeakHashMap<>());

    /** A name that no setting has: stands for those that are not known. */
    private static final String ANY = "";
    /** Unlike all that are written. */
    private static final String DEFAULT = "default";

    private static final String SEPARATOR = ";";

    private final boolean isTransactional;
    private final Map<String, String> values = new TreeMap<>();
    /** Values until the end of the transaction. */
    private final Map<String, String> locals = new TreeMap<>();
    /** What was set in the transaction. */
    private final Set<String> changed = new TreeSet<>();

    private String text = "";

    private OwnSettings(Dialect dialect) {
        // Elsewhere a rollback takes no setting back, and LOCAL is another word for SESSION.
        this.isTransactional = dialect == Dialect.POSTGRESQL;
    }

    /** As a session has them at its beginning. */
    static OwnSettings none(Dialect dialect) {
        return new OwnSettings(dialect);
    }

    /** Of which nothing is known. */
    static OwnSettings unknown(Dialect dialect) {
        var settings = new OwnSettings(dialect);
        settings.forget();
        return settings;
    }

    /**
     * Those of a physical connection, whichever handle has set them: neither a handle's end nor a pool takes them back, and the
     * server does not tell them ({@code EarlierHandlesIT}).
     */
    static OwnSettings of(Object physical, Dialect dialect) {
        return KEPT.computeIfAbsent(physical, first -> new OwnSettings(dialect));
    }

    /**
     * A text has set one, or several.
     *
     * @param within whether in a transaction that can take it back
     */
    synchronized void set(String sql, boolean within) {
        List<PlainSetting> plain = PlainSetting.in(sql);
        if (plain.isEmpty()) {
            values.put(ANY, unlikeAll());
        }
        plain.forEach(setting -> set(setting, within && isTransactional));
        renew();
    }

    /** A method has set one to a text. */
    synchronized void set(String name, String value, boolean within) {
        set(PlainSetting.of(name, value), within && isTransactional);
        renew();
    }

    /** One may have any value. */
    synchronized void doubt(String name, boolean within) {
        values.put(name, unlikeAll());
        if (within && isTransactional) {
            changed.add(name);
        }
        renew();
    }

    private void set(PlainSetting setting, boolean within) {
        if (setting.isLocal() && isTransactional) {
            setLocal(setting, within);
            return;
        }
        String name = setting.name();
        String value = valueOf(setting);
        if (value == null) {
            values.remove(name);
        } else {
            values.put(name, value);
        }
        if (within) {
            changed.add(name);
        }
        // What SET LOCAL has set before is over, as far as it is certain that it was this.
        if (!name.equals(PlainSetting.TRANSACTIONS)) {
            locals.remove(name);
        }
    }

    private void setLocal(PlainSetting setting, boolean within) {
        String name = setting.name();
        if (isOfApplication(name)) {
            // Behind the transaction it is empty, where there was none before.
            values.putIfAbsent(name, DEFAULT);
        }
        if (!within) {
            return;
        }
        // What the default is, or the one of several that is set, nobody here knows.
        String value = setting.value();
        locals.put(name, value == null || name.equals(PlainSetting.TRANSACTIONS) ? unlikeAll() : value);
    }

    /** What is known of a setting from now on; null if it is as when the session began. */
    private @Nullable String valueOf(PlainSetting setting) {
        String value = setting.value();
        if (value == null) {
            // One that the database does not know is there from now on, and empty.
            return isOfApplication(setting.name()) || !isTransactional ? DEFAULT : null;
        }
        if (!setting.name().equals(PlainSetting.TRANSACTIONS)) {
            return value;
        }
        // Several names for several settings: all that were set, the last one last.
        String known = values.get(setting.name());
        return known == null ? value : without(known, value) + value;
    }

    /** A list without what another element is put in the place of, which has the same name or is the same phrase. */
    private static String without(String list, String element) {
        String name = element.substring(0, element.indexOf('=') + 1);
        var rest = new StringBuilder();
        for (String one : list.split(SEPARATOR)) {
            if (!one.equals(element) && (name.isEmpty() || !one.startsWith(name))) {
                rest.append(one).append(SEPARATOR);
            }
        }
        return rest.toString();
    }

    private static boolean isOfApplication(String name) {
        return name.indexOf('.') >= 0;
    }

    /** What was set in the transaction may be what it was before. */
    synchronized void takenBack() {
        // What they were before is not kept, so they are unlike all others.
        changed.forEach(name -> values.put(name, unlikeAll()));
        locals.replaceAll((name, value) -> unlikeAll());
        renew();
    }

    /** The transaction is over, and what was set in it stays or was taken back before. */
    synchronized void ended() {
        changed.clear();
        locals.clear();
        renew();
    }

    /**
     * All are as at the beginning of the session, and nothing takes that back; but the application's own are empty where
     * there were none.
     */
    synchronized void reset() {
        values.keySet().removeIf(name -> !isOfApplication(name) && !name.equals(ANY));
        values.replaceAll((name, value) -> DEFAULT);
        ended();
    }

    /**
     * Nothing is known of them: another session, or a text that may have set or reset them.
     *
     * <p>Values may be anything, so they are unlike those of every other session.
     */
    synchronized void forget() {
        values.put(ANY, unlikeAll());
        ended();
    }

    /** Made when something changes and not when it is asked for, which is with each statement. */
    private void renew() {
        text = values.isEmpty() && locals.isEmpty() ? "" : values.toString() + locals;
    }

    /** Equal for sessions in which they are known to be equal. */
    synchronized String text() {
        return text;
    }

    /** What no session has: for a text of which not each statement runs under the same ones. */
    static String unlikeAll() {
        return Long.toString(UNLIKE_ALL.incrementAndGet());
    }
}
