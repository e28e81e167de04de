package io.leeway.netsim.internal.training;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Models from the public definitions of their layers, with the compute times of the chapter.
 *
 * <p>Times of single layers were not published: the totals are shared by multiplications, backward without the first step,
 * which the chapter's clock does not see. The backward totals are those that its results imply (its tables hold a longer
 * backward pass than its list of models).
 */
public final class Models {

    private static final int BITS = 32;
    private static final Pattern GROWN = Pattern.compile("inception-v3\\+(\\d{1,3})-(compute|network)");

    private record Layer(String name, long weights, long work) {}

    private final List<Layer> layers = new ArrayList<>();

    private Models() {}

    /** All models by name. */
    public static Map<String, Model> all() {
        Map<String, Model> all = new LinkedHashMap<>();
        for (String name : names()) {
            all.put(name, of(name));
        }
        return all;
    }

    /** The names. */
    public static List<String> names() {
        return List.of("inception-v3", "vgg-16", "resnet-101", "resnet-200");
    }

    /** Whether there is a model of this name; {@code inception-v3+25-compute} and {@code +25-network} have modules added. */
    public static boolean has(String name) {
        return names().contains(name) || GROWN.matcher(name).matches();
    }

    /** The model of this name. */
    public static Model of(String name) {
        Matcher growth = GROWN.matcher(name);
        if (growth.matches()) {
            int modules = Integer.parseInt(growth.group(1));
            Model grown = growth.group(2).equals("compute") ? grown(modules, 0) : grown(0, modules);
            return new Model(name, grown.tensors());
        }
        Models made = new Models();
        return switch (name) {
            // The chapter's is 6 % smaller than the public one, evenly.
            case "inception-v3" -> made.inception(0, 0).timed(name, 0.176, 0.386, 0.938);
            case "vgg-16" -> made.vgg(9).timed(name, 0.169, 0.024, 1);
            case "resnet-101" -> made.resnet(3, 4, 23, 3).timed(name, 0.176, 0.380, 1);
            case "resnet-200" -> made.resnet(3, 24, 36, 3).timed(name, 0.357, 0.467, 1);
            default -> throw new IllegalArgumentException("no model " + name + "; there are " + names());
        };
    }

    /** Inception-v3 with further modules: of 35x35x288 (much compute) and of 17x17x768 (much to send). */
    public static Model grown(int computeModules, int networkModules) {
        Models plain = new Models().inception(0, 0);
        Models made = new Models().inception(computeModules, networkModules);
        // The same time a multiplication as in the plain model.
        double growth = (double) made.work() / plain.work();
        return made.timed(
                "inception-v3+" + computeModules + "+" + networkModules, 0.176 * growth, 0.386 * growth, 0.938);
    }

    /** VGG-16 for images of 224 pixels, as it is usually meant; the chapter's is for 299. */
    static Model vgg224() {
        return new Models().vgg(7).timed("vgg-16-224", 0.169, 0.024, 1);
    }

    private long work() {
        return layers.stream().mapToLong(Layer::work).sum();
    }

    private Model timed(String name, double forward, double backward, double shrink) {
        double allWork = work();
        int firstStep = lastWithWork();
        double backWork = allWork - layers.get(firstStep).work();
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            tensors.add(new Tensor(
                    layer.name(),
                    Math.max(1, Math.round(layer.weights() * BITS * shrink)),
                    Math.round(forward * 1e9 * layer.work() / allWork),
                    i >= firstStep ? 0 : Math.round(backward * 1e9 * layer.work() / backWork)));
        }
        return new Model(name, tensors);
    }

    private int lastWithWork() {
        int i = layers.size() - 1;
        while (layers.get(i).work() == 0) {
            i--;
        }
        return i;
    }

    private void conv(String name, int height, int width, int in, int out, int pixels) {
        long weights = (long) height * width * in * out;
        layers.add(new Layer(name + "/weights", weights, weights * pixels * pixels));
    }

    private void vector(String name, int length) {
        layers.add(new Layer(name, length, 0));
    }

    private void dense(String name, int in, int out) {
        layers.add(new Layer(name + "/weights", (long) in * out, (long) in * out));
        vector(name + "/biases", out);
    }

    private Models vgg(int lastPixels) {
        int[][] blocks = {{64, 64}, {128, 128}, {256, 256, 256}, {512, 512, 512}, {512, 512, 512}};
        int in = 3;
        int pixels = lastPixels == 9 ? 299 : 224;
        for (int block = 0; block < blocks.length; block++) {
            for (int i = 0; i < blocks[block].length; i++) {
                String name = "conv" + (block + 1) + "_" + (i + 1);
                conv(name, 3, 3, in, blocks[block][i], pixels);
                vector(name + "/biases", blocks[block][i]);
                in = blocks[block][i];
            }
            pixels /= 2;
        }
        dense("fc6", lastPixels * lastPixels * 512, 4096);
        dense("fc7", 4096, 4096);
        dense("fc8", 4096, 1000);
        return this;
    }

    private void normalised(String name, int kernel, int in, int out, int pixels) {
        conv(name, kernel, kernel, in, out, pixels);
        vector(name + "/scale", out);
        vector(name + "/offset", out);
    }

    private Models resnet(int... units) {
        normalised("stem", 7, 3, 64, 112);
        int in = 64;
        for (int block = 0; block < units.length; block++) {
            int base = 64 << block;
            int pixels = 56 >> block;
            for (int unit = 0; unit < units[block]; unit++) {
                String name = "block" + (block + 1) + "/unit" + (unit + 1);
                if (unit == 0) {
                    normalised(name + "/shortcut", 1, in, base * 4, pixels);
                }
                normalised(name + "/conv1", 1, in, base, pixels);
                normalised(name + "/conv2", 3, base, base, pixels);
                normalised(name + "/conv3", 1, base, base * 4, pixels);
                in = base * 4;
            }
        }
        dense("logits", 2048, 1000);
        return this;
    }

    private void offset(String name, int height, int width, int in, int out, int pixels) {
        conv(name, height, width, in, out, pixels);
        vector(name + "/offset", out);
    }

    private Models inception(int computeModules, int networkModules) {
        int[][] stem = {{3, 3, 32, 149}, {3, 32, 32, 147}, {3, 32, 64, 147}, {1, 64, 80, 73}, {3, 80, 192, 71}};
        for (int i = 0; i < stem.length; i++) {
            offset("stem" + i, stem[i][0], stem[i][0], stem[i][1], stem[i][2], stem[i][3]);
        }
        module35("mixed0", 192, 32);
        module35("mixed1", 256, 64);
        module35("mixed2", 288, 64);
        for (int i = 0; i < computeModules; i++) {
            module35("added35_" + i, 288, 64);
        }
        offset("mixed3/a", 3, 3, 288, 384, 17);
        offset("mixed3/b1", 1, 1, 288, 64, 35);
        offset("mixed3/b2", 3, 3, 64, 96, 35);
        offset("mixed3/b3", 3, 3, 96, 96, 17);
        int[] widths = {128, 160, 160, 192};
        for (int i = 0; i < widths.length; i++) {
            module17("mixed" + (4 + i), widths[i]);
        }
        for (int i = 0; i < networkModules; i++) {
            module17("added17_" + i, 192);
        }
        offset("mixed8/a1", 1, 1, 768, 192, 17);
        offset("mixed8/a2", 3, 3, 192, 320, 8);
        offset("mixed8/b1", 1, 1, 768, 192, 17);
        offset("mixed8/b2", 1, 7, 192, 192, 17);
        offset("mixed8/b3", 7, 1, 192, 192, 17);
        offset("mixed8/b4", 3, 3, 192, 192, 8);
        module8("mixed9", 1280);
        module8("mixed10", 2048);
        dense("logits", 2048, 1000);
        return this;
    }

    private void module35(String name, int in, int pool) {
        offset(name + "/a", 1, 1, in, 64, 35);
        offset(name + "/b1", 1, 1, in, 48, 35);
        offset(name + "/b2", 5, 5, 48, 64, 35);
        offset(name + "/c1", 1, 1, in, 64, 35);
        offset(name + "/c2", 3, 3, 64, 96, 35);
        offset(name + "/c3", 3, 3, 96, 96, 35);
        offset(name + "/d", 1, 1, in, pool, 35);
    }

    private void module17(String name, int width) {
        offset(name + "/a", 1, 1, 768, 192, 17);
        offset(name + "/b1", 1, 1, 768, width, 17);
        offset(name + "/b2", 1, 7, width, width, 17);
        offset(name + "/b3", 7, 1, width, 192, 17);
        offset(name + "/c1", 1, 1, 768, width, 17);
        offset(name + "/c2", 7, 1, width, width, 17);
        offset(name + "/c3", 1, 7, width, width, 17);
        offset(name + "/c4", 7, 1, width, width, 17);
        offset(name + "/c5", 1, 7, width, 192, 17);
        offset(name + "/d", 1, 1, 768, 192, 17);
    }

    private void module8(String name, int in) {
        offset(name + "/a", 1, 1, in, 320, 8);
        offset(name + "/b1", 1, 1, in, 384, 8);
        offset(name + "/b2", 1, 3, 384, 384, 8);
        offset(name + "/b3", 3, 1, 384, 384, 8);
        offset(name + "/c1", 1, 1, in, 448, 8);
        offset(name + "/c2", 3, 3, 448, 384, 8);
        offset(name + "/c3", 1, 3, 384, 384, 8);
        offset(name + "/c4", 3, 1, 384, 384, 8);
        offset(name + "/d", 1, 1, in, 192, 8);
    }
}
