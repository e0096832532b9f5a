package berth.sla;

import berth.time.Window;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The terms of an agreement about a run, somewhere in the window, for at most the budget: on a number of PEs, or in any
 * of several shapes (moldable), in one piece, or in parts (preemptible). Complete and consistent, whatever the client left
 * out: see {@link RequestedTerms#resolve}.
 *
 * @param window where the run must lie; the largest shape fits into it
 * @param duration run time of the largest shape in seconds on a standard PE, at least 1
 * @param shapes what the run may become on the cluster, the largest first; only one of a rigid run. Some may be too long
 *     for the window
 * @param moldability where the shapes come from; empty: the run is rigid
 * @param preemption how it may be split; empty: not at all
 * @param budget the most the client pays; empty: any price
 * @param requires labels the cluster must carry
 * @param fixing when the place becomes final
 * @param scenario what the client left open
 * @param autoExtension how the run goes on by itself; empty: it does not
 */
public record Terms(
        Window window,
        long duration,
        List<Shape> shapes,
        Optional<Moldability> moldability,
        Optional<Preemption> preemption,
        Optional<Money> budget,
        Map<String, String> requires,
        Fixing fixing,
        QosScenario scenario,
        Optional<AutoExtension> autoExtension) {

    private static final long MAX_SHAPES = 1_000_000;

    /**
     * @throws IllegalArgumentException if the figures are out of range, the run is longer than the window, or shorter than
     *     its steps: each takes a second at least
     */
    public Terms {
        shapes = List.copyOf(shapes);
        if (duration < 1 || shapes.isEmpty() || moldability.isEmpty() && shapes.size() > 1) {
            throw new IllegalArgumentException(
                    "Terms of a duration of %d s need that, and as many shapes as were asked for: %s"
                            .formatted(duration, shapes));
        }
        if (shapes.getFirst().runTime() > window.length()) {
            throw new IllegalArgumentException("A run of %d s does not fit a window of %d s."
                    .formatted(shapes.getFirst().runTime(), window.length()));
        }
        if (shapes.getFirst().runTime() < preemption.map(Preemption::steps).orElse(1)) {
            throw new IllegalArgumentException("A run of %d s has no %d steps."
                    .formatted(
                            shapes.getFirst().runTime(),
                            preemption.map(Preemption::steps).orElse(1)));
        }
        requires = Map.copyOf(requires);
    }

    /** A run that is not extended by itself. */
    public Terms(
            Window window,
            long duration,
            List<Shape> shapes,
            Optional<Moldability> moldability,
            Optional<Preemption> preemption,
            Optional<Money> budget,
            Map<String, String> requires,
            Fixing fixing,
            QosScenario scenario) {
        this(window, duration, shapes, moldability, preemption, budget, requires, fixing, scenario, Optional.empty());
    }

    /** The same terms of a run that is extended by itself no longer. */
    public Terms withoutAutoExtension() {
        return new Terms(window, duration, shapes, moldability, preemption, budget, requires, fixing, scenario);
    }

    /** Seconds that the run takes on the cluster in its largest shape: T^min of paper 003. */
    public long runTime() {
        return shapes.getFirst().runTime();
    }

    /** The PEs of the largest shape: R^max, or the highest power of two below it where only these are allowed. */
    public int pes() {
        return shapes.getFirst().pes();
    }

    /** The steps a run consists of; 1 unless it may be split. */
    public int steps() {
        return preemption.map(Preemption::steps).orElse(1);
    }

    /** The most parts it may be split into; 1 unless it may be split. */
    public int mostParts() {
        return preemption.map(Preemption::mostParts).orElse(1);
    }

    /** Whether it may be split into more than one part. */
    public boolean isPreemptible() {
        return mostParts() > 1;
    }

    /**
     * Whether these leave the provider no less freedom than others do: all the time that those leave and as much slack, as many
     * shapes and parts, and no earlier end of it.
     */
    public boolean areAsFlexibleAs(Terms others) {
        return window.readyTime() <= others.window.readyTime()
                && window.deadline() >= others.window.deadline()
                && flexibility() >= others.flexibility()
                && shapes.size() >= others.shapes.size()
                && mostParts() >= others.mostParts()
                && flexibilityFactor() >= others.flexibilityFactor()
                && fixing.isNoEarlierThan(others.fixing);
    }

    /** Whether they leave no choice where the run lies in time, in which shape, nor in which parts. */
    public boolean areStrict() {
        return flexibility() == 0 && flexibilityFactor() == 1;
    }

    /**
     * How many shapes f_mol and Sp provide together, {@value #MAX_SHAPES} standing for as many and more: the flexibility factor of
     * paper 003, section 3.2, which leaves open how parts count. Here a way to cut the run into parts is a shape of its own in each
     * shape of the run, or in each for each part where these have shapes of their own. O(N) for N parts.
     */
    public long flexibilityFactor() {
        long perShape = shapes.size();
        boolean moldableParts = preemption.filter(Preemption::moldableParts).isPresent();
        int cuts = steps() - 1;
        long ways = 1;
        long layouts = perShape;
        long all = 0;
        for (int parts = 1; parts <= Math.min(mostParts(), steps()); parts++) {
            all += ways * layouts;
            if (all >= MAX_SHAPES) {
                return MAX_SHAPES;
            }
            ways = Math.min(MAX_SHAPES, ways * (cuts - parts + 1) / parts);
            layouts = moldableParts ? Math.min(MAX_SHAPES, layouts * perShape) : layouts;
        }
        return all;
    }

    /** In how many shapes and steps a place is searched for: their product, at most {@link RequestedTerms#MAX_SHAPES_AND_STEPS}. */
    public int weight() {
        return shapes.size() * steps();
    }

    /** The shape on that many PEs. */
    public Optional<Shape> shape(int pes) {
        return shapes.stream().filter(shape -> shape.pes() == pes).findAny();
    }

    /** Seconds by which the run can be shifted inside its window in its largest shape: deadline - ready time - run time. */
    public long flexibility() {
        return window.length() - runTime();
    }

    /** The latest start of the largest shape that still meets the deadline. */
    public long latestStart() {
        return window.latestStart(runTime());
    }

    /** What the largest shape takes, in PE-seconds. */
    public long work() {
        return Math.multiplyExact(runTime(), pes());
    }

    /**
     * Whether what is to come of a run leaves a choice: another time, or another shape, that keeps these terms as well. Of a run
     * whose parts may have several shapes there may be none where a few seconds decide.
     *
     * @param parts what the run takes, which keeps these terms
     * @param begun how many of them have begun, and stay
     * @param earliest the earliest start of what takes the place of the others, seconds since the epoch
     */
    public boolean leaveAChoice(List<Part> parts, int begun, long earliest) {
        var toCome = parts.subList(begun, parts.size());
        if (toCome.isEmpty()) {
            return false;
        }
        int done = parts.subList(0, begun).stream().mapToInt(Part::steps).sum();
        long time = window.deadline() - earliest;
        return shapes.stream()
                .filter(shape -> begun == 0
                        || mayChangeShape()
                        || shape.pes() == parts.getFirst().pes())
                .anyMatch(shape -> {
                    long rest = shape.runTime() - shape.cut(done, steps());
                    boolean liesThere = toCome.getFirst().slot().start() == earliest
                            && toCome.stream().allMatch(part -> part.pes() == shape.pes());
                    return rest - sooner() < time || rest == time && !liesThere;
                });
    }

    /** Seconds by which parts in several shapes, each rounded by itself, may be done before the same in one shape. */
    private long sooner() {
        return mayChangeShape() && shapes.size() > 1 ? mostParts() : 0;
    }

    private boolean mayChangeShape() {
        return preemption.filter(Preemption::moldableParts).isPresent();
    }

    /**
     * Whether a run that takes these parts keeps these terms: it is done in the end, lies in the window, part after part,
     * in shapes that were agreed and no more parts than were.
     */
    public boolean allow(List<Part> parts) {
        int done = 0;
        long end = window.readyTime();
        for (var part : parts) {
            int from = done;
            int to = from + part.steps();
            boolean inShape = to <= steps()
                    && shape(part.pes())
                            .filter(shape ->
                                    part.slot().duration() == shape.cut(to, steps()) - shape.cut(from, steps()))
                            .isPresent();
            if (!inShape || part.slot().start() < end) {
                return false;
            }
            done = to;
            end = part.slot().end();
        }
        boolean inOneShape = mayChangeShape()
                || parts.stream().mapToInt(Part::pes).distinct().count() == 1;
        return done == steps() && end <= window.deadline() && parts.size() <= mostParts() && inOneShape;
    }
}
