package io.leeway.privoxy.internal.cache;

import io.leeway.privoxy.internal.decide.CompiledPolicy;
import io.leeway.privoxy.internal.decide.Goal;
import io.leeway.privoxy.internal.model.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The decision cache: templates by goal, for one policy and schema. A new policy or schema needs a new store, to which
 * {@link #templates} of the old one may be offered again once they are proved anew.
 *
 * <p>Reading takes no lock: each goal has an array of templates that is replaced as a whole, the most used first.
 * Writing takes one lock. A template that another one subsumes is not kept. When the store is full, a sixteenth of it
 * is dropped, least recently used first; time is counted in insertions ("ticks"), so that a hit usually writes nothing
 * but its counter.
 *
 * <p>Thread-safe, shared by all connections of one policy.
 *
 * <p>Only compliant decisions are here (Chang, UCB/EECS-2021-244, section 3.5: there is no core of a refusal). Refusals
 * are remembered apart, by their values and for a minute, see {@code RefusalMemory}. The order of templates decides
 * nothing: each is true by itself.
 */
public final class TemplateStore {

    private static final StoredTemplate[] NONE = {};
    /** To drop one at a time would sort all ages with each insertion once the store is full. */
    private static final int SHARE_DROPPED = 16;

    private final CompiledPolicy policy;
    private final StoreSettings settings;
    private final TemplateListener listener;
    private final ConcurrentHashMap<Goal, StoredTemplate[]> byGoal = new ConcurrentHashMap<>();
    private final LongAdder misses = new LongAdder();
    private final Object lock = new Object();
    private volatile int tick;
    private volatile int size;

    public TemplateStore(CompiledPolicy policy, StoreSettings settings, TemplateListener listener) {
        this.policy = policy;
        this.settings = settings;
        this.listener = listener;
    }

    /**
     * Looks for a template that shows the goal to be compliant.
     *
     * <p>First what is looked up, then compared: the goal is interned, so one hash of an identity finds the candidates.
     *
     * @param goal of this store's policy
     * @param arguments of the goal, null where a value is unknown
     * @param context the request's parameters
     * @param trace what the request has seen
     */
    public @Nullable StoredTemplate find(
            Goal goal, @Nullable Value[] arguments, Map<String, Value> context, TraceView trace) {
        return find(goal, arguments, context, trace, PremiseCheck.NONE);
    }

    /**
     * The same for facts that may contradict each other.
     *
     * @param check whether the rows that a template found for its premises can hold together
     */
    public @Nullable StoredTemplate find(
            Goal goal, @Nullable Value[] arguments, Map<String, Value> context, TraceView trace, PremiseCheck check) {
        StoredTemplate[] candidates = byGoal.get(goal);
        if (candidates != null) {
            for (StoredTemplate candidate : candidates) {
                if (candidate.program().matches(arguments, context, trace, check)) {
                    // A race here loses a count or an age at most.
                    candidate.hit(tick);
                    return candidate;
                }
            }
        }
        misses.increment();
        return null;
    }

    /**
     * Keeps a template that was proved under this store's policy.
     *
     * <p>Where only reviewed ones count, what is learnt is thrown away: people want to see each rule by which data
     * leaves.
     *
     * @return whether it is kept; not if the store has one as general, or keeps reviewed ones only
     */
    public boolean add(Template template) {
        boolean kept = !settings.reviewedOnly() && insert(template, false, TemplateListener.Event.CREATED);
        return kept || rejected();
    }

    /**
     * Keeps a template that was loaded.
     *
     * @param reviewed whether people have reviewed it
     * @return whether it is kept
     */
    public boolean load(Template template, boolean reviewed) {
        boolean counts = reviewed || !settings.reviewedOnly();
        boolean kept = counts && insert(template, reviewed, TemplateListener.Event.LOADED);
        return kept || rejected();
    }

    private boolean rejected() {
        listener.on(TemplateListener.Event.REJECTED);
        return false;
    }

    private boolean insert(Template template, boolean reviewed, TemplateListener.Event event) {
        Goal goal = policy.goal(template.goal());
        // Compiled outside of the lock.
        StoredTemplate added = new StoredTemplate(new CompiledTemplate(template, policy), reviewed, tick + 1);
        synchronized (lock) {
            StoredTemplate[] known = byGoal.getOrDefault(goal, NONE);
            if (settings.templates() == 0 || isCovered(added, known)) {
                return false;
            }
            List<StoredTemplate> kept = new ArrayList<>(known.length + 1);
            for (StoredTemplate other : known) {
                // A reviewed template stays although a more general one is there: the files have to account for
                // what they allow.
                if (!other.isReviewed() && Subsumption.holds(template, other.template())) {
                    listener.on(TemplateListener.Event.REPLACED);
                } else {
                    kept.add(other);
                }
            }
            if (kept.size() >= settings.perGoal() && !dropLeastRecent(kept)) {
                return false;
            }
            kept.add(added);
            // The most used first, as matching goes through them in order.
            kept.sort(Comparator.comparingLong(StoredTemplate::hits).reversed());
            tick++;
            size += kept.size() - known.length;
            byGoal.put(goal, kept.toArray(NONE));
            listener.on(event);
            makeRoom();
            return true;
        }
    }

    /**
     * Whether a known template is as general, and counts as reviewed if the new one does.
     *
     * <p>A reviewed template is kept beside a learnt one that is more general: only the first may count where reviews
     * are asked for.
     */
    private static boolean isCovered(StoredTemplate added, StoredTemplate[] known) {
        return Arrays.stream(known)
                .anyMatch(other -> (other.isReviewed() || !added.isReviewed())
                        && Subsumption.holds(other.template(), added.template()));
    }

    private boolean dropLeastRecent(List<StoredTemplate> templates) {
        return templates.stream()
                .filter(template -> !template.isReviewed())
                .min(Comparator.comparingInt(StoredTemplate::lastUse))
                .map(oldest -> {
                    listener.on(TemplateListener.Event.EVICTED);
                    return templates.remove(oldest);
                })
                // All are reviewed: there is no room, and the new one is not kept.
                .orElse(false);
    }

    private void makeRoom() {
        if (size <= settings.templates()) {
            return;
        }
        int surplus = size - settings.templates();
        int[] ages = templates().stream()
                // What people have reviewed is never dropped, as nothing would make it again.
                .filter(template -> !template.isReviewed())
                .mapToInt(StoredTemplate::lastUse)
                .sorted()
                .toArray();
        int dropped = Math.min(ages.length, Math.max(surplus, settings.templates() / SHARE_DROPPED));
        if (dropped > 0) {
            dropUntil(ages[dropped - 1], dropped);
        }
    }

    /** Not exactly the oldest: of one age any may go, which spares sorting the templates themselves. */
    private void dropUntil(int age, int count) {
        int left = count;
        for (Goal goal : byGoal.keySet()) {
            List<StoredTemplate> kept = new ArrayList<>();
            StoredTemplate[] known = byGoal.getOrDefault(goal, NONE);
            for (StoredTemplate template : known) {
                if (left > 0 && !template.isReviewed() && template.lastUse() <= age) {
                    left--;
                    listener.on(TemplateListener.Event.EVICTED);
                } else {
                    kept.add(template);
                }
            }
            replace(goal, known, kept);
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Called under the lock; volatile for readers only.
    private void replace(Goal goal, StoredTemplate[] known, List<StoredTemplate> kept) {
        if (kept.isEmpty()) {
            byGoal.remove(goal);
        } else if (kept.size() < known.length) {
            byGoal.put(goal, kept.toArray(NONE));
        }
        size -= known.length - kept.size();
    }

    /** All templates, in no particular order. */
    public List<StoredTemplate> templates() {
        List<StoredTemplate> all = new ArrayList<>();
        byGoal.values().forEach(templates -> all.addAll(Arrays.asList(templates)));
        return all;
    }

    /**
     * Drops everything.
     *
     * <p>For operators who want to see what is learnt anew; a change of policy or schema brings a new store instead.
     */
    public void clear() {
        synchronized (lock) {
            byGoal.clear();
            size = 0;
        }
    }

    /** Number of templates. */
    public int size() {
        return size;
    }

    /** How often {@link #find} found nothing. */
    public long misses() {
        return misses.sum();
    }

    /** The policy that all templates are proved under. */
    public CompiledPolicy policy() {
        return policy;
    }

    /** Whether only reviewed templates are kept, so that what they do not cover is to be refused. */
    public boolean isReviewedOnly() {
        return settings.reviewedOnly();
    }
}
