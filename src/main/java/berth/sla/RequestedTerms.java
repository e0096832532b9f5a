package berth.sla;

import berth.outcome.Outcome;
import berth.time.Window;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Terms as a client requests them. Berth fills in what is missing when it decides the request, not when the request arrives.
 *
 * @param readyTime the earliest start, in seconds since the epoch; empty means at once
 * @param deadline the latest finish, in seconds since the epoch; empty if the run gets the first place from its ready time on, and stays
 *     there
 * @param duration the run time in seconds on a standard PE; for a moldable run, on its most PEs
 * @param pes the number of PEs; for a moldable run, the most
 * @param moldability the other shapes of the run; empty if it is rigid
 * @param preemption how the run can be split; empty if it cannot
 * @param budget the most that the client pays; empty means any price
 * @param requires the labels that the cluster must carry
 * @param fixing when the place becomes final
 * @param autoExtension how the run is extended automatically; empty if it is not
 * @param mobility how often and how far the provider may move the run, at most; rows older than this field lack it, which means as the
 *     cluster allows
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
        Optional<AutoExtension> autoExtension,
        MoveBounds mobility) {

    /** The largest product of shapes and steps, which bounds how many places a request makes Berth search for. */
    public static final int MAX_SHAPES_AND_STEPS = 300;

    /** How far a ready time may lie in the past and still count as now, in seconds. */
    public static final long GRACE = 60;

    /** @throws InvalidFigure if a label is not well-formed, or the shapes contradict the duration or the number of PEs */
    public RequestedTerms {
        mobility = MoveBounds.orNone(mobility);
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
            throw preemption
                    .orElseThrow()
                    .wrongSteps(
                            "makes %d steps in each of %d shapes, of %d together; allow longer steps or fewer shapes"
                                    .formatted(steps, shapes, MAX_SHAPES_AND_STEPS));
        }
        if (autoExtension.isPresent() && (moldability.isPresent() || preemption.isPresent())) {
            throw new InvalidFigure(
                    "autoExtend",
                    autoExtension.get(),
                    "works only for a run in one shape and one piece; leave out moldability and preemption, or autoExtend");
        }
    }

    private static int shapes(Optional<Moldability> moldability, long duration) {
        return moldability
                .map(mold -> mold.shapes(Math.max(1, duration)).size())
                .orElse(1);
    }

    private static int steps(Optional<Preemption> preemption) {
        return preemption.map(Preemption::stepCount).orElse(1);
    }

    /** Returns the number of shapes times the number of steps, at most {@link #MAX_SHAPES_AND_STEPS}. */
    public int weight() {
        return shapes(moldability, duration) * steps(preemption);
    }

    /** Creates terms without automatic extension. */
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

    /** Creates terms without bounds for moves. */
    public RequestedTerms(
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
        this(
                readyTime,
                deadline,
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension,
                MoveBounds.NONE);
    }

    /** Returns agreed terms in the form of a request. */
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
                agreed.autoExtension(),
                agreed.mobility());
    }

    private RequestedTerms between(OptionalLong ready, OptionalLong end) {
        return new RequestedTerms(
                ready, end, duration, pes, moldability, preemption, budget, requires, fixing, autoExtension, mobility);
    }

    /** Returns the same terms with another ready time, in seconds since the epoch. */
    public RequestedTerms readyAt(long start) {
        return between(OptionalLong.of(start), deadline);
    }

    /** Returns the same terms without a ready time. */
    public RequestedTerms withoutReadyTime() {
        return between(OptionalLong.empty(), deadline);
    }

    /** Returns the same terms without a deadline. */
    public RequestedTerms withoutDeadline() {
        return between(readyTime, OptionalLong.empty());
    }

    /** Returns the same terms with another window. */
    public RequestedTerms within(Window window) {
        return between(OptionalLong.of(window.readyTime()), OptionalLong.of(window.deadline()));
    }

    /**
     * Returns the terms of a request with a chosen start: the window then allows only that start, so every other start counts as an
     * alternative. Without a chosen start the terms are unchanged.
     *
     * @param start the chosen start, in seconds since the epoch
     * @param rating the rating of the cluster
     */
    public RequestedTerms at(OptionalLong start, BigDecimal rating) {
        return start.isPresent() ? startingAt(start.getAsLong(), rating) : this;
    }

    /** Returns the same terms for a run in one part that starts exactly at {@code start} on a cluster with that rating. */
    public RequestedTerms startingAt(long start, BigDecimal rating) {
        long longest = Long.MAX_VALUE - Math.max(0, start);
        return within(new Window(start, start + Math.clamp(runTime(duration, rating), 1, longest)));
    }

    /**
     * Returns the same terms with a window from {@code start} that holds the longest shape, or as much of it as ends by {@code latest}, but
     * always the largest shape.
     *
     * @param latest seconds since the epoch
     */
    public RequestedTerms startingAt(long start, BigDecimal rating, long latest) {
        long least = startingAt(start, rating).deadline().getAsLong();
        long longest = start + Math.clamp(longestRunTime(rating), 1, Long.MAX_VALUE - Math.max(0, start));
        return within(new Window(start, Math.max(least, Math.min(longest, latest))));
    }

    /** Returns the run time of the longest shape on a cluster with that rating, in seconds, at most {@link Long#MAX_VALUE} / 2. */
    public long longestRunTime(BigDecimal rating) {
        long standard = moldability.stream()
                .flatMap(mold -> mold.shapes(duration).stream())
                .mapToLong(Shape::runTime)
                .reduce(duration, Math::max);
        return Math.min(runTime(standard, rating), Long.MAX_VALUE / 2);
    }

    /** Returns the same terms for a rigid run with another duration and number of PEs. */
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
                autoExtension,
                mobility);
    }

    /** Returns the same terms of a run that may also be moved after something. */
    public RequestedTerms following(Follow what) {
        return new RequestedTerms(
                readyTime,
                deadline,
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension,
                mobility.following(Optional.of(what)));
    }

    /** Returns the same terms with another automatic extension; empty for none. */
    public RequestedTerms autoExtending(Optional<AutoExtension> how) {
        return new RequestedTerms(
                readyTime, deadline, duration, pes, moldability, preemption, budget, requires, fixing, how, mobility);
    }

    /** Returns the same terms with another time at which the place becomes final. */
    public RequestedTerms fixing(Fixing when) {
        return new RequestedTerms(
                readyTime,
                deadline,
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                when,
                autoExtension,
                mobility);
    }

    /** Whether the place is final as soon as the run gets it. */
    public boolean areFinalAtOnce() {
        return fixing.isAtOnce() || mobility.maxMoves().equals(OptionalInt.of(0));
    }

    /** Creates terms of a rigid run without a budget, labels or a wish for when the place becomes final. */
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
     * Returns the run time on PEs with that rating, in seconds, rounded up, at most {@link Long#MAX_VALUE}. Paper 004 treats resources of
     * different speed the same way.
     *
     * @param duration the run time on a standard PE, in seconds
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
     * Completes the terms. The bounds for moves are the tighter ones of the request and the cluster; bounds that stay as agreed are not
     * tightened.
     *
     * <p>Without a deadline, the terms have no freedom in time: the run {@linkplain Terms#stay stays} in its first place. If the cluster has
     * a default slack, they have that, unless the place is to be final at once. A deadline beyond the horizon counts as its end.
     *
     * @param now seconds since the epoch
     * @param on the cluster's rules; shapes that exceed them are dropped, unless none would remain
     */
    public Outcome<Terms, List<Violation>> resolve(long now, Bounds on) {
        return resolve(now, on, Optional.empty());
    }

    /**
     * Completes terms that are to replace {@code agreed}. A ready time or deadline that stays as agreed is not checked against the clock
     * again, and the run can use all the time between them. If the moldability stays as agreed, the run keeps its numbers of PEs even if
     * the cluster's bounds have changed. A run without freedom in time, before and after, keeps its ready time as its start.
     */
    public Outcome<Terms, List<Violation>> resolve(long now, Bounds on, Terms agreed) {
        return resolve(now, on, Optional.of(agreed));
    }

    private Outcome<Terms, List<Violation>> resolve(long now, Bounds on, Optional<Terms> agreed) {
        long end = now + on.horizon();
        boolean sameReadyTime = agreed.isPresent()
                && readyTime.equals(OptionalLong.of(agreed.get().window().readyTime()));
        boolean sameDeadline = agreed.isPresent()
                && deadline.equals(OptionalLong.of(agreed.get().window().deadline()));
        var violations = new ArrayList<Violation>();
        var shapes = duration < 1 || pes < 1 ? List.<Shape>of() : shapes(on, agreed);
        long runTime = shapes.isEmpty() ? 1 : shapes.getFirst().runTime();
        if (duration < 1) {
            violations.add(new Violation("duration", "must be longer than zero"));
        } else if (runTime > on.horizon() && agreed.isEmpty()) {
            violations.add(new Violation(
                    "duration", "must not exceed the cluster's horizon", (double) runTime / on.horizon()));
        }
        int steps = steps(preemption);
        if (!shapes.isEmpty() && runTime < steps) {
            violations.add(new Violation(
                    preemption.map(Preemption::stepsField).orElseThrow(),
                    "cuts a run of %d s into %d steps; choose fewer, so that each takes a second or more"
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
        boolean sameExtension =
                agreed.isPresent() && autoExtension.equals(agreed.get().autoExtension());
        if (!sameExtension && autoExtension.isPresent() && autoExtension.get().until() <= now) {
            violations.add(new Violation("autoExtend.until", "lies in the past; choose a later one, or leave it out"));
        }
        if (!violations.isEmpty()) {
            return new Outcome.NotDone<>(List.copyOf(violations));
        }
        long ready = sameReadyTime ? readyTime.getAsLong() : Math.max(now, readyTime.orElse(now));
        boolean hasDefault = deadline.isEmpty() && agreed.isEmpty() && on.defaultSlack() > 0 && !areFinalAtOnce();
        long latestFinish;
        var deadlineBy = DeadlineSource.PLACE;
        if (sameDeadline) {
            latestFinish = deadline.getAsLong();
            deadlineBy = agreed.get().deadlineBy();
        } else if (deadline.isPresent()) {
            latestFinish = Math.min(deadline.getAsLong(), end);
            deadlineBy = deadline.getAsLong() > end ? DeadlineSource.HORIZON : DeadlineSource.REQUEST;
        } else if (hasDefault) {
            latestFinish = Math.min(ready + runTime + on.defaultSlack(), end);
            deadlineBy = DeadlineSource.DEFAULT_SLACK;
        } else if (sameReadyTime && agreed.get().scenario() == QosScenario.STRICT) {
            latestFinish = isAsLongAs(agreed.get())
                    ? agreed.get().window().deadline()
                    : ready + shapes.getLast().runTime();
        } else {
            latestFinish = end;
        }
        boolean sameMobility =
                agreed.isPresent() && mobility.equals(agreed.get().mobility());
        if (!sameMobility && !mobility.areNone() && deadline.isEmpty() && !hasDefault) {
            return new Outcome.NotDone<>(
                    List.of(
                            new Violation(
                                    "mobility",
                                    "needs freedom: without slack and deadline, the run gets the first place and stays there; send one of them, or leave this out")));
        }
        if (latestFinish <= ready || latestFinish - ready < runTime) {
            return new Outcome.NotDone<>(List.of(tooShort(ready, latestFinish)));
        }
        var window = new Window(ready, latestFinish);
        boolean isStrict = window.length() == runTime || deadline.isEmpty() && !hasDefault;
        var scenario = isStrict ? QosScenario.STRICT : scenario(sameReadyTime, agreed);
        boolean hasChoice = shapes.size() > 1
                || preemption.filter(split -> split.mostParts() > 1).isPresent();
        // a run that stays could get another shape or other parts where it is
        var fixed = isStrict && window.length() > runTime && hasChoice ? fixing.atOnce() : fixing;
        return new Outcome.Done<>(new Terms(
                window,
                duration,
                shapes,
                moldability,
                preemption,
                budget,
                requires,
                fixed,
                scenario,
                autoExtension,
                deadlineBy,
                sameMobility ? mobility : mobility.tighter(on.moves())));
    }

    private boolean isAsLongAs(Terms agreed) {
        return duration == agreed.duration()
                && moldability.equals(agreed.moldability())
                && preemption.equals(agreed.preemption());
    }

    /** Returns the shapes that the cluster allows, largest first; all shapes if it allows none. */
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

    /** Whether the shape has an agreed number of PEs and a run time that was agreed or is allowed. */
    private static boolean mayStay(Shape shape, Bounds on, Terms agreed) {
        return agreed.shape(shape.pes())
                .filter(before -> shape.runTime() <= Math.max(on.runTime(), before.runTime()))
                .isPresent();
    }

    private Violation tooShort(long ready, long latestFinish) {
        if (deadline.isEmpty()) {
            return new Violation(
                    "duration", "is so long that the run cannot end within the cluster's horizon; shorten it");
        }
        return latestFinish <= ready
                ? new Violation("deadline", "must lie after the ready time")
                : new Violation(
                        "duration",
                        "is longer than the time from ready time to deadline; shorten it or loosen the deadline");
    }

    /** Returns the scenario of terms with freedom in time. A ready time that was left open stays open while it is as agreed. */
    private QosScenario scenario(boolean sameReadyTime, Optional<Terms> agreed) {
        boolean leftReadyTime = sameReadyTime
                ? switch (agreed.orElseThrow().scenario()) {
                    case DEADLINE, OPEN -> true;
                    case STRICT, INTERVAL -> false;
                }
                : readyTime.isEmpty();
        return leftReadyTime ? QosScenario.DEADLINE : QosScenario.INTERVAL;
    }
}
