package berth.sla;

import berth.time.Window;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The terms of an agreement about a run: a window, PEs or several shapes (moldable), one part or several (preemptible), and a budget. They
 * are complete and consistent, see {@link RequestedTerms#resolve}.
 *
 * @param window the time that must contain the run; the largest shape fits into it
 * @param duration the run time of the largest shape on a standard PE, in seconds, at least 1
 * @param shapes the possible shapes on the cluster, largest first; a rigid run has one. Some may be too long for the window
 * @param moldability the source of the shapes; empty if the run is rigid
 * @param preemption how the run can be split; empty if it cannot
 * @param budget the most that the client pays; empty means any price
 * @param requires the labels that the cluster must carry
 * @param fixing when the place becomes final
 * @param scenario which ends of the window the client left open
 * @param autoExtension how the run is extended automatically; empty if it is not
 * @param deadlineBy which rule set the deadline; journal rows older than this field lack it, which means the request
 * @param mobility how often and how far the provider may move the run; journal rows older than this field lack it, which means without
 *     bounds
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
        Optional<AutoExtension> autoExtension,
        DeadlineSource deadlineBy,
        MoveBounds mobility) {

    private static final long MAX_SHAPES = 1_000_000;

    /**
     * @throws IllegalArgumentException if a figure is out of range, or if the run is longer than the window or has less than a second for
     *     each step
     */
    public Terms {
        shapes = List.copyOf(shapes);
        if (duration < 1 || shapes.isEmpty() || moldability.isEmpty() && shapes.size() > 1) {
            throw new IllegalArgumentException(
                    "Terms need a positive duration, at least one shape, and only one if they are not moldable; they have %d s and %s."
                            .formatted(duration, shapes));
        }
        if (shapes.getFirst().runTime() > window.length()) {
            throw new IllegalArgumentException("A run of %d s does not fit into a window of %d s."
                    .formatted(shapes.getFirst().runTime(), window.length()));
        }
        if (shapes.getFirst().runTime() < preemption.map(Preemption::stepCount).orElse(1)) {
            throw new IllegalArgumentException("A run of %d s cannot have %d steps, each of a second or more."
                    .formatted(
                            shapes.getFirst().runTime(),
                            preemption.map(Preemption::stepCount).orElse(1)));
        }
        requires = Map.copyOf(requires);
        deadlineBy = Objects.requireNonNullElse(deadlineBy, DeadlineSource.REQUEST);
        mobility = MoveBounds.orNone(mobility);
    }

    /** Creates terms without bounds for moves. */
    public Terms(
            Window window,
            long duration,
            List<Shape> shapes,
            Optional<Moldability> moldability,
            Optional<Preemption> preemption,
            Optional<Money> budget,
            Map<String, String> requires,
            Fixing fixing,
            QosScenario scenario,
            Optional<AutoExtension> autoExtension,
            DeadlineSource deadlineBy) {
        this(
                window,
                duration,
                shapes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                scenario,
                autoExtension,
                deadlineBy,
                MoveBounds.NONE);
    }

    /** Creates terms with the requested deadline and without automatic extension. */
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
        this(
                window,
                duration,
                shapes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                scenario,
                Optional.empty(),
                DeadlineSource.REQUEST);
    }

    /** Returns the same terms without automatic extension. */
    public Terms withoutAutoExtension() {
        return with(window, Optional.empty());
    }

    private Terms with(Window other, Optional<AutoExtension> extension) {
        return new Terms(
                other,
                duration,
                shapes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                scenario,
                extension,
                deadlineBy,
                mobility);
    }

    /** Returns when the place becomes final: as the owner wishes, or at once if no move is allowed. */
    public Fixing finality() {
        return mobility.maxMoves().equals(OptionalInt.of(0)) ? fixing.atOnce() : fixing;
    }

    /** Returns the run time of the largest shape on the cluster, in seconds: T^min of paper 003. */
    public long runTime() {
        return shapes.getFirst().runTime();
    }

    /** Returns the PEs of the largest shape: R^max, or the highest allowed power of two below it. */
    public int pes() {
        return shapes.getFirst().pes();
    }

    /** Returns the number of steps; 1 unless the run can be split. */
    public int steps() {
        return preemption.map(Preemption::stepCount).orElse(1);
    }

    /** Returns the most parts; 1 unless the run can be split. */
    public int mostParts() {
        return preemption.map(Preemption::mostParts).orElse(1);
    }

    /** Whether the run can have more than one part. */
    public boolean isPreemptible() {
        return mostParts() > 1;
    }

    /**
     * Whether these terms leave the provider at least as much freedom as {@code others}: a window that contains theirs, as much slack, at
     * least their shapes and parts, no earlier final place, and no tighter bounds for moves. Where the others leave no slack, their deadline is only the end of the run.
     */
    public boolean areAsFlexibleAs(Terms others) {
        return window.readyTime() <= others.window.readyTime()
                && (others.flexibility() == 0 || window.deadline() >= others.window.deadline())
                && flexibility() >= others.flexibility()
                && shapes.size() >= others.shapes.size()
                && mostParts() >= others.mostParts()
                && flexibilityFactor() >= others.flexibilityFactor()
                && fixing.isNoEarlierThan(others.fixing)
                && mobility.allowAsMuchAs(others.mobility);
    }

    /** Whether the terms leave no choice of time, shape or parts. */
    public boolean areStrict() {
        return flexibility() == 0 && flexibilityFactor() == 1;
    }

    /**
     * Returns the flexibility factor of paper 003, section 3.2: how many shapes f_mol and Sp allow together, at most {@value #MAX_SHAPES}.
     * The paper does not say how parts count. Here each way to cut the run counts as a shape, for every shape of the run, or for every
     * combination of shapes if parts have their own. O(N) for N parts.
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

    /**
     * Whether the run stays where it gets its first place, which then becomes its window. Until then the window only says where to look for
     * that place.
     */
    public boolean stay() {
        return scenario == QosScenario.STRICT && window.length() > runTime();
    }

    /** Returns the terms of a run that lies there: if the run {@linkplain #stay stays}, its place becomes its window. */
    public Terms lyingAt(List<Part> parts) {
        if (!stay()) {
            return this;
        }
        long start = parts.getFirst().slot().start();
        // parts in several shapes, each rounded on its own, can take a few seconds less than one shape
        long end = Math.max(start + runTime(), parts.getLast().slot().end());
        return with(new Window(start, end), autoExtension);
    }

    /** Returns the number of shapes times the number of steps, at most {@link RequestedTerms#MAX_SHAPES_AND_STEPS}. */
    public int weight() {
        return shapes.size() * steps();
    }

    /** Returns the shape with that many PEs. */
    public Optional<Shape> shape(int pes) {
        return shapes.stream().filter(shape -> shape.pes() == pes).findAny();
    }

    /** Returns by how many seconds the run can shift inside its window in its largest shape: deadline - ready time - run time. */
    public long flexibility() {
        return window.length() - runTime();
    }

    /** Returns the flexibility that moves can use: no more than the longest agreed shift. */
    public long usableFlexibility() {
        return Math.min(flexibility(), mobility.maxShift().orElse(Long.MAX_VALUE));
    }

    /** Returns the latest start of the largest shape that meets the deadline. */
    public long latestStart() {
        return window.latestStart(runTime());
    }

    /** Returns the PE-seconds of the largest shape. */
    public long work() {
        return Math.multiplyExact(runTime(), pes());
    }

    /**
     * Whether the rest of a run could still get another time or another shape within these terms. If the parts can have several shapes and
     * only a few seconds decide, the answer can be true although there is no choice.
     *
     * @param parts the present parts of the run, which keep these terms
     * @param begun how many of them have begun and cannot change
     * @param earliest the earliest start of the parts that would replace the others, in seconds since the epoch
     * @param deadline their latest end, not after the deadline of the window
     */
    public boolean leaveAChoice(List<Part> parts, int begun, long earliest, long deadline) {
        var toCome = parts.subList(begun, parts.size());
        if (toCome.isEmpty()) {
            return false;
        }
        int done = parts.subList(0, begun).stream().mapToInt(Part::steps).sum();
        long time = deadline - earliest;
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

    /** Returns by how many seconds parts in several shapes, each rounded on its own, can end earlier than one shape. */
    private long sooner() {
        return mayChangeShape() && shapes.size() > 1 ? mostParts() : 0;
    }

    private boolean mayChangeShape() {
        return preemption.filter(Preemption::moldableParts).isPresent();
    }

    /**
     * Whether a run with these parts keeps these terms: the parts complete the run, lie in the window one after another, have agreed
     * shapes, and are not too many.
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
