package io.leeway.eppi.demo;

import io.leeway.demo.Decision;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import io.leeway.eppi.internal.attack.Attacks;
import io.leeway.eppi.internal.attack.Baselines;
import io.leeway.eppi.internal.attack.Lists;
import io.leeway.eppi.internal.config.Roster;
import io.leeway.eppi.internal.index.PpiIndex;
import io.leeway.eppi.internal.report.Report;
import io.leeway.eppi.internal.search.Remote;
import io.leeway.eppi.node.EppiSearcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Hospitals as processes on real databases, a construction, a search, and the attacks. */
public final class EppiDropIn implements DropIn {

    /** What {@code ./demo} starts. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new EppiDropIn(), arguments);
    }

    @Override
    public String name() {
        return "eppi";
    }

    @Override
    public String title() {
        return "epsilon-ppi: who holds a person's records, without telling anyone who visited whom";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Teller teller = context.teller();
        try (var network = new HospitalNetwork()) {
            teller.progress("hospitals and their databases start", 0.1);
            network.start(context.shortOrLong(200, 2_000));
            teller.text("Nine hospitals, each a process of its own beside its own database (PostgreSQL and MariaDB by"
                    + " turns), three coordinators and an index server: thirteen processes that know each other by"
                    + " certificates and speak TLS. No two hospitals trust each other.");
            long begin = System.nanoTime();
            String epoch = network.construct();
            teller.text(String.format(
                    Locale.ROOT,
                    "They constructed an index of %d persons in %.1f s: %s. Nobody saw who visited whom.",
                    network.persons().size(),
                    (System.nanoTime() - begin) / 1e9,
                    epoch));
            search(teller, network);
            PpiIndex first = index(network);
            report(teller, first);
            attacks(teller, network, first);
            again(teller, network, first);
        }
    }

    private static PpiIndex index(HospitalNetwork network) {
        return new Remote(network.index(), Roster.read(network.roster())).whole();
    }

    private static void search(Teller teller, HospitalNetwork network) {
        EppiSearcher.Result found = EppiSearcher.of(network.searcher("doctor")).search("mary");
        teller.text("Mary asked for ε = 0.5: half of her list may be noise. Her doctor searches for her: "
                + found.privacy() + ".");
        var rows = new ArrayList<List<String>>();
        for (EppiSearcher.Answer answer : found.answers()) {
            String said = answer.records().isEmpty()
                    ? "nothing"
                    : String.join(", ", answer.records().get(0));
            rows.add(List.of(answer.provider(), answer.error().isEmpty() ? said : answer.error()));
        }
        teller.table(new Table("What the listed hospitals answered", List.of("hospital", "records"), rows));
        EppiSearcher.Answer refused = EppiSearcher.of(network.searcher("curious"))
                .search("mary")
                .answers()
                .get(0);
        teller.decision(new Decision("curious", "records of mary at " + refused.provider(), false, refused.error()));
    }

    private static void report(Teller teller, PpiIndex index) {
        var rows = new ArrayList<List<String>>();
        for (Report.OfClass each : Report.of(index).classes()) {
            rows.add(List.of(
                    String.format(Locale.ROOT, "%.2f", each.epsilon()),
                    Integer.toString(each.persons()),
                    each.isKnown() ? String.format(Locale.ROOT, "%.1f %%", 100 * each.got()) : "–",
                    each.isKnown() ? String.format(Locale.ROOT, "%.1f %%", 100 * each.satisfied()) : "–",
                    Integer.toString(each.everywhere()),
                    String.format(Locale.ROOT, "%.1f", each.meanCost())));
        }
        teller.table(new Table(
                "The privacy report, as anybody can make it from the index",
                List.of("ε asked", "persons", "noise got", "wish met", "published everywhere", "hospitals to ask"),
                rows));
    }

    private static Lists published(HospitalNetwork network, PpiIndex index) {
        var lists = new BitSet[network.persons().size()];
        for (int i = 0; i < lists.length; i++) {
            lists[i] = new BitSet();
            for (int provider :
                    index.entry(index.find(network.token(i)).orElseThrow()).listed()) {
                lists[i].set(provider);
            }
        }
        return new Lists(HospitalNetwork.NAMES.size(), lists);
    }

    private static void attacks(Teller teller, HospitalNetwork network, PpiIndex index) {
        Lists truth = network.truth();
        Lists here = published(network, index);
        Lists grouped = Baselines.grouping(truth, 4, new Random(1));
        int[] thresholds = new int[truth.size()];
        java.util.Arrays.fill(thresholds, HospitalNetwork.NAMES.size() - 1);
        teller.table(new Table(
                "Attacks, by somebody who has the whole index: how sure a claim is",
                List.of("attack", "this index", "a grouping index"),
                List.of(
                        List.of(
                                "a listed hospital has records (all persons)",
                                primary(truth, here),
                                primary(truth, grouped)),
                        List.of(
                                "who is listed everywhere visited nearly all",
                                sure(Attacks.commonFromLists(truth, here, thresholds)),
                                sure(Attacks.commonFromLists(truth, grouped, thresholds))))));
        teller.text(
                "Victor visited eight of nine hospitals. He hides among others who are published everywhere as he is,"
                        + " though they visited few; the coordinators chose them without learning who is which.");
    }

    private static String primary(Lists truth, Lists lists) {
        long claims = 0;
        long right = 0;
        for (int i = 0; i < truth.size(); i++) {
            Attacks.Result one = Attacks.primary(truth, lists, i);
            claims += one.claims();
            right += one.right();
        }
        return sure(new Attacks.Result(claims, right));
    }

    private static String sure(Attacks.Result result) {
        return String.format(Locale.ROOT, "%.0f %% of %d", 100 * result.confidence(), result.claims());
    }

    private static void again(Teller teller, HospitalNetwork network, PpiIndex first) {
        network.kill("harbour");
        network.restart("harbour");
        network.construct();
        PpiIndex second = index(network);
        int changed = 0;
        for (int i = 0; i < first.size(); i++) {
            changed += java.util.Arrays.equals(
                            first.entry(i).listed(), second.entry(i).listed())
                    ? 0
                    : 1;
        }
        teller.text("A hospital was killed and came back, and the index was constructed again, epoch "
                + second.header().epoch() + ". Lists that changed: " + changed
                + ". The noise is the same, so comparing the two says nothing; every list and every signature was checked"
                + " against the roster.");
    }
}
