package berth.sla;

import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Terms as a client states them. What it leaves out is settled when the request is decided, not when it arrives.
 *
 * @param readyTime earliest start, seconds since the epoch; empty: at once
 * @param deadline latest finish, seconds since the epoch; empty: the end of the cluster's horizon
 * @param duration run time in seconds on a standard PE; of a moldable run that on its most PEs
 * @param pes processing elements; of a moldable run the most
 * @param moldability what else the run may become; empty: it is rigid
 * @param preemption how it may be split; empty: not at all
 * @param budget the most the client pays; empty: any price
 * @param requires labels the cluster must carry
 * @param fixing when the place is to become final
 * @param autoExtension how the run goes on by itself; empty: it does not
 */
public record RequestedTerms(
        OptionalLong readyTime,
        OptionalLong deadline,
        long duration,
        int pes,
        Optional<Moldability> moldability,
        Optional<Preemption> preemption,
        Optional<Money> budget,
        Map<String, String> requires,
        Fixing fixing,
        Optional<AutoExtension> autoExtension) {

    /** The most shapes times steps of a request: so many places are looked for. */
    public static final int MAX_SHAPES_AND_STEPS = 300;

    /** Seconds by which a ready time may lie in the past and still count as now. */
    public static final long GRACE = 60;

    /** @throws InvalidFigure if the labels are not well formed, or the shapes say something else than duration and PEs */
    public RequestedTerms {
        Labels.require("requires", requires);
        if (moldability.isPresent() && moldability.get().maxPes() != pes) {
            throw new InvalidFigure("maxPes", pes, "must be the most PEs of the shapes");
        }
        if (moldability.isPresent()
                && moldability.get() instanceof Moldability.Runtimes table
                && table.duration() != duration) {
            throw new InvalidFigure(
                    "duration",
                    duration,
                    "must be the run time on the most PEs, %d s; leave it out".formatted(table.duration()));
        }
        int shapes = shapes(moldability, duration);
        int steps = steps(preemption);
        if (shapes * steps > MAX_SHAPES_AND_STEPS) {
            throw new InvalidFigure(
                    "preemption.step",
                    preemption.orElseThrow().step(),
                    "makes %d steps in each of %d shapes, of %d together; allow longer steps or fewer shapes"
                            .formatted(steps, shapes, MAX_SHAPES_AND_STEPS));
        }
        if (autoExtension.isPresent() && (moldability.isPresent() || preemption.isPresent())) {
            throw new InvalidFigure(
                    "autoExtend",
                    autoExtension.get(),
                    "is for runs in one shape and one piece; leave out moldability and preemption, or this");
        }
    }

    private static int shapes(Optional<Moldability> moldability, long duration) {
        return moldability
                .map(mold -> mold.shapes(Math.max(1, duration)).size())
                .orElse(1);
    }

    private static int steps(Optional<Preemption> preemption) {
        return preemption.map(Preemption::steps).orElse(1);
    }

    /** In how many shapes and steps a place may have to be searched for: their product, at most {@link #MAX_SHAPES_AND_STEPS}. */
    public int weight() {
        return shapes(moldability, duration) * steps(preemption);
    }

    /** A run that is not extended by itself. */
    public RequestedTerms(
            OptionalLong readyTime,
            OptionalLong deadline,
            long duration,
            int pes,
            Optional<Moldability> moldability,
            Optional<Preemption> preemption,
            Optional<Money> budget,
            Map<String, String> requires,
            Fixing fixing) {
        this(readyTime, deadline, duration, pes, moldability, preemption, budget, requires, fixing, Optional.empty());
    }

    /** Agreed terms as if they were asked for. */
    public static RequestedTerms of(Terms agreed) {
        return new RequestedTerms(
                OptionalLong.of(agreed.window().readyTime()),
                OptionalLong.of(agreed.window().deadline()),
                agreed.duration(),
                agreed.moldability().map(Moldability::maxPes).orElse(agreed.pes()),
                agreed.moldability(),
                agreed.preemption(),
                agreed.budget(),
                agreed.requires(),
                agreed.fixing(),
                agreed.autoExtension());
    }

    /** The same terms with another ready time, seconds since the epoch. */
    public RequestedTerms readyAt(long start) {
        return new RequestedTerms(
                OptionalLong.of(start),
                deadline,
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension);
    }

    /** The same terms, however late the run ends. */
    public RequestedTerms withoutDeadline() {
        return new RequestedTerms(
                readyTime,
                OptionalLong.empty(),
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension);
    }

    /** The same terms with a window of their own, seconds since the epoch. */
    public RequestedTerms within(Window window) {
        return new RequestedTerms(
                OptionalLong.of(window.readyTime()),
                OptionalLong.of(window.deadline()),
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension);
    }

    /**
     * What a request with a chosen start asks a cluster of that rating for: only that start, so that every other one is an
     * alternative to it. Without one, the same terms.
     */
    public RequestedTerms at(OptionalLong start, BigDecimal rating) {
        return start.isPresent() ? startingAt(start.getAsLong(), rating) : this;
    }

    /** The same terms of a run that begins exactly then, on a cluster of that rating, and goes on in one piece. */
    public RequestedTerms startingAt(long start, BigDecimal rating) {
        long longest = Long.MAX_VALUE - Math.max(0, start);
        return within(new Window(start, start + Math.clamp(runTime(duration, rating), 1, longest)));
    }

    /** The same terms of a rigid run with another duration and number of PEs. */
    public RequestedTerms rigid(long otherDuration, int otherPes) {
        return new RequestedTerms(
                readyTime,
                deadline,
                otherDuration,
                otherPes,
                Optional.empty(),
                preemption,
                budget,
                requires,
                fixing,
                autoExtension);
    }

    /** The same terms of a run that is extended by itself in that way; empty: it is not. */
    public RequestedTerms autoExtending(Optional<AutoExtension> how) {
        return new RequestedTerms(
                readyTime, deadline, duration, pes, moldability, preemption, budget, requires, fixing, how);
    }

    /** The same terms, but for when the place becomes final. */
    public RequestedTerms fixing(Fixing when) {
        return new RequestedTerms(
                readyTime, deadline, duration, pes, moldability, preemption, budget, requires, when, autoExtension);
    }

    /** Terms that can be decided on, or everything that is wrong with them. */
    public sealed interface Resolution {
        /** The terms, complete. */
        record Resolved(Terms terms) implements Resolution {}

        /** What must be changed; never empty. */
        record Invalid(List<Violation> violations) implements Resolution {}
    }

    /** Terms of a rigid run without a budget, labels or a wish when to be fixed. */
    public static RequestedTerms of(OptionalLong readyTime, OptionalLong deadline, long duration, int pes) {
        return new RequestedTerms(
                readyTime,
                deadline,
                duration,
                pes,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE);
    }

    /**
     * Seconds that a run of {@code duration} seconds on a standard PE takes on PEs of that rating, rounded up (paper 004's
     * way to resources of different speed); at most {@link Long#MAX_VALUE}.
     */
    public static long runTime(long duration, BigDecimal rating) {
        return rating.compareTo(BigDecimal.ONE) == 0
                ? duration
                : BigDecimal.valueOf(duration)
                        .divide(rating, 0, RoundingMode.CEILING)
                        .min(BigDecimal.valueOf(Long.MAX_VALUE))
                        .longValueExact();
    }

    /**
     * The complete terms as of {@code now}.
     *
     * @param now seconds since the epoch
     * @param horizon seconds from now beyond which the cluster takes no reservations
     * @param on what the cluster lets the run be; shapes that it does not are left out, unless none remains
     */
    public Resolution resolve(long now, long horizon, Bounds on) {
        return resolve(now, horizon, on, Optional.empty());
    }

    /**
     * The complete terms as of {@code now} that are to take the place of {@code agreed}: a ready time or deadline that
     * stays as it was agreed is not measured by the clock again, and the run may take all the time between them. A run that
     * is as moldable as before keeps its numbers of PEs, whatever the cluster lets others be.
     */
    public Resolution resolve(long now, long horizon, Bounds on, Terms agreed) {
        return resolve(now, horizon, on, Optional.of(agreed));
    }

    private Resolution resolve(long now, long horizon, Bounds on, Optional<Terms> agreed) {
        long end = now + horizon;
        boolean sameReadyTime = agreed.isPresent()
                && readyTime.equals(OptionalLong.of(agreed.get().window().readyTime()));
        boolean sameDeadline = agreed.isPresent()
                && deadline.equals(OptionalLong.of(agreed.get().window().deadline()));
        var violations = new ArrayList<Violation>();
        var shapes = duration < 1 || pes < 1 ? List.<Shape>of() : shapes(on, agreed);
        long runTime = shapes.isEmpty() ? 1 : shapes.getFirst().runTime();
        if (duration < 1) {
            violations.add(new Violation("duration", "must be longer than zero"));
        } else if (runTime > horizon && agreed.isEmpty()) {
            violations.add(new Violation("duration", "must not exceed the cluster's horizon"));
        }
        int steps = steps(preemption);
        if (!shapes.isEmpty() && runTime < steps) {
            violations.add(new Violation(
                    "preemption.step",
                    "cuts a run of %d s into %d steps; choose a larger one, so that each takes a second or more"
                            .formatted(runTime, steps)));
        }
        if (pes < 1) {
            violations.add(new Violation("pes", "must be at least 1"));
        }
        if (budget.isPresent() && budget.get().amount().signum() == 0) {
            violations.add(new Violation("budget", "must be more than zero; leave it out to accept any price"));
        }
        if (!sameReadyTime && readyTime.isPresent()) {
            if (readyTime.getAsLong() < now - GRACE) {
                violations.add(
                        new Violation("readyTime", "lies in the past; leave it out to start as soon as possible"));
            } else if (readyTime.getAsLong() >= end) {
                violations.add(new Violation("readyTime", "lies beyond the cluster's horizon; choose an earlier one"));
            }
        }
        if (!sameDeadline && deadline.isPresent() && deadline.getAsLong() > end) {
            violations.add(new Violation("deadline", "lies beyond the cluster's horizon; choose an earlier one"));
        }
        boolean sameExtension =
                agreed.isPresent() && autoExtension.equals(agreed.get().autoExtension());
        if (!sameExtension && autoExtension.isPresent() && autoExtension.get().until() <= now) {
            violations.add(new Violation("autoExtend.until", "lies in the past; choose a later one, or leave it out"));
        }
        if (!violations.isEmpty()) {
            return new Resolution.Invalid(List.copyOf(violations));
        }
        long ready = sameReadyTime ? readyTime.getAsLong() : Math.max(now, readyTime.orElse(now));
        long latestFinish = deadline.orElse(end);
        if (latestFinish <= ready || latestFinish - ready < runTime) {
            return new Resolution.Invalid(List.of(tooShort(ready, latestFinish)));
        }
        var window = new Window(ready, latestFinish);
        var scenario = scenario(window.length() == runTime, sameReadyTime, sameDeadline, agreed);
        return new Resolution.Resolved(new Terms(
                window, duration, shapes, moldability, preemption, budget, requires, fixing, scenario, autoExtension));
    }

    /** The shapes that the cluster allows, the largest first; all if it allows none. */
    private List<Shape> shapes(Bounds on, Optional<Terms> agreed) {
        var standard =
                moldability.map(mold -> mold.shapes(duration)).orElseGet(() -> List.of(new Shape(pes, duration)));
        var all = standard.stream()
                .map(shape -> new Shape(shape.pes(), runTime(shape.runTime(), on.rating())))
                .toList();
        var before = agreed.filter(terms -> terms.moldability().equals(moldability));
        var allowed = all.stream()
                .filter(shape -> before.map(terms -> mayStay(shape, on, terms)).orElseGet(() -> on.allow(shape)))
                .toList();
        return allowed.isEmpty() ? all : allowed;
    }

    /** Whether as many PEs were agreed, for a time that is allowed or was agreed. */
    private static boolean mayStay(Shape shape, Bounds on, Terms agreed) {
        return agreed.shape(shape.pes())
                .filter(before -> shape.runTime() <= Math.max(on.runTime(), before.runTime()))
                .isPresent();
    }

    private Violation tooShort(long ready, long latestFinish) {
        if (deadline.isEmpty()) {
            return new Violation("duration", "reaches from the ready time beyond the cluster's horizon; shorten it");
        }
        return latestFinish <= ready
                ? new Violation("deadline", "must lie after the ready time")
                : new Violation(
                        "duration",
                        "is longer than the time from ready time to deadline; shorten it or loosen the deadline");
    }

    /** What was left open stays left open as long as that end of the window stays as it was agreed. */
    private QosScenario scenario(
            boolean isStrict, boolean sameReadyTime, boolean sameDeadline, Optional<Terms> agreed) {
        if (isStrict) {
            return QosScenario.STRICT;
        }
        var before = agreed.map(Terms::scenario).orElse(QosScenario.STRICT);
        if (sameDeadline ? before == QosScenario.OPEN : deadline.isEmpty()) {
            return QosScenario.OPEN;
        }
        boolean leftReadyTime =
                sameReadyTime ? before == QosScenario.DEADLINE || before == QosScenario.OPEN : readyTime.isEmpty();
        return leftReadyTime ? QosScenario.DEADLINE : QosScenario.INTERVAL;
    }
}
