package io.leeway.netsim.internal.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Jobs from a file: {@code start_us,from,to,sizes}, then perhaps {@code msr}, which may be empty, and {@code group}; the sizes
 * are separated by spaces.
 */
public final class FlowTrace {

    private static final String COLUMNS = "start_us,from,to,sizes";
    private static final Pattern TIME = Pattern.compile("\\d{1,9}(\\.\\d{1,6})?");
    private static final Pattern HOST = Pattern.compile("\\d{1,6}");
    private static final Pattern SIZE = Pattern.compile("[1-9]\\d{0,7}");
    private static final int MOST_SIZES = 1_000_000;
    /** Of a file that is none of jobs, the first faults say enough. */
    private static final int MOST_TOLD = 20;

    private static final Pattern SHARE = Pattern.compile("1|0?\\.\\d{1,6}");
    private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9][-_.A-Za-z0-9]{0,39}");
    /** The group of all, which no job may name. */
    static final String ALL = "all";

    private FlowTrace() {}

    /**
     * A job of a file.
     *
     * @param at picoseconds
     * @param from a host
     * @param to another
     * @param sizes bytes of its messages
     * @param msr the share that it needs; 0 if the file does not say
     * @param group what it is counted with; empty if the file does not say
     */
    public record Job(long at, int from, int to, List<Integer> sizes, double msr, String group) {

        /** Copies. */
        public Job {
            sizes = List.copyOf(sizes);
        }
    }

    /** Something wrong in a line, from 1. */
    public interface Problems {

        /** What is wrong, and what to do. */
        void add(int line, String what);
    }

    /** Reads lines; what is wrong is told, and left out. */
    public static List<Job> read(List<String> lines, Problems problems) {
        List<Job> jobs = new ArrayList<>();
        long before = 0;
        int faults = 0;
        for (int i = 0; i < lines.size() && faults <= MOST_TOLD; i++) {
            String line = (i == 0 ? lines.get(i).replace("\uFEFF", "") : lines.get(i)).strip();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith(COLUMNS)) {
                continue;
            }
            String[] cells = line.split(",", -1);
            String wrong = wrong(cells);
            long at = wrong.isEmpty() ? Math.round(Double.parseDouble(cells[0]) * 1e6) : before;
            if (at < before) {
                wrong = "time goes back; sort the file by start_us";
            }
            if (!wrong.isEmpty()) {
                faults++;
                problems.add(i + 1, faults > MOST_TOLD ? "the rest is not told; correct these first" : wrong);
                continue;
            }
            before = at;
            List<Integer> sizes = new ArrayList<>();
            for (String size : cells[3].split(" ")) {
                sizes.add(Integer.parseInt(size));
            }
            double msr = cells.length < 5 || cells[4].isEmpty() ? 0 : Double.parseDouble(cells[4]);
            String group = cells.length < 6 ? "" : cells[5];
            jobs.add(new Job(at, Integer.parseInt(cells[1]), Integer.parseInt(cells[2]), sizes, msr, group));
        }
        if (jobs.isEmpty() && faults == 0) {
            problems.add(1, "there are no jobs; write lines of " + COLUMNS + ", as 12.5,0,3,1400 200");
        }
        return jobs;
    }

    private static String wrong(String[] cells) {
        if (cells.length < 4 || cells.length > 6) {
            return "expected 4 to 6 cells, " + COLUMNS + " and perhaps msr and group; found " + cells.length;
        }
        if (!TIME.matcher(cells[0]).matches()) {
            return "start_us cannot be " + cells[0] + "; write microseconds";
        }
        if (!HOST.matcher(cells[1]).matches() || !HOST.matcher(cells[2]).matches() || cells[1].equals(cells[2])) {
            return "from and to cannot be " + cells[1] + " and " + cells[2] + "; write two different hosts, from 0";
        }
        String[] sizes = cells[3].split(" ", -1);
        if (sizes.length > MOST_SIZES) {
            return "there are " + sizes.length + " sizes; write at most " + MOST_SIZES + " a job";
        }
        for (String size : sizes) {
            if (!SIZE.matcher(size).matches()) {
                return "sizes cannot be " + shown(cells[3])
                        + "; write bytes separated by one space, each 1 to 99999999";
            }
        }
        boolean hasShare = cells.length > 4 && !cells[4].isEmpty();
        if (hasShare && (!SHARE.matcher(cells[4]).matches() || Double.parseDouble(cells[4]) == 0)) {
            return "msr cannot be " + cells[4] + "; write a share above 0 up to 1";
        }
        if (cells.length == 6 && (!GROUP.matcher(cells[5]).matches() || cells[5].equals(ALL))) {
            return "group cannot be " + cells[5] + "; write a word of letters, digits, -, _ and . that is not " + ALL;
        }
        return "";
    }

    private static String shown(String cell) {
        return cell.length() <= 60 ? cell : cell.substring(0, 60) + "...";
    }
}
