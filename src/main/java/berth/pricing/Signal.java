package berth.pricing;

import berth.sla.InvalidFigure;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Factors on prices by time, such as those of energy, of its carbon, or of the load that a site plans. A run pays the mean of the factors
 * over its PE-seconds. Outside of the steps the factor is 1.
 */
public final class Signal {

    /** No factors: each hour costs the same. */
    public static final Signal NONE = new Signal("", List.of(), 0);

    /** The most steps that can be sent at once. */
    public static final int MAX_SENT = 2_000;

    /** The most steps that are kept, those of the past included. */
    static final int MAX_STEPS = 2 * MAX_SENT;

    private final String source;
    private final List<SignalStep> steps;
    private final long until;

    /** The sums of the factors of all seconds before each step, and before the end, in millionths; derived from the steps. */
    private final transient long[] sums;

    /**
     * @param source where the factors come from, in words
     * @param steps the factors, by rising time; each counts until the next
     * @param until the end of the last step, in seconds since the epoch; 0 without steps
     * @throws InvalidFigure if there are too many steps, or if their times do not rise
     */
    public Signal(String source, List<SignalStep> steps, long until) {
        if (steps.size() > MAX_STEPS) {
            throw new InvalidFigure("factors", steps.size(), "must be at most " + MAX_STEPS);
        }
        this.source = source;
        this.steps = List.copyOf(steps);
        this.until = until;
        this.sums = new long[steps.size() + 1];
        long at = 0;
        for (int i = 0; i <= steps.size(); i++) {
            long next = i < steps.size() ? steps.get(i).from() : until;
            if (i > 0 && next <= at) {
                throw new InvalidFigure(
                        i < steps.size() ? "factors[%d].from".formatted(i) : "to",
                        next,
                        "must be later than the time before it");
            }
            sums[i] = i == 0
                    ? next * SignalStep.ONE
                    : sums[i - 1] + (next - at) * steps.get(i - 1).millionths();
            at = next;
        }
    }

    /** Where the factors come from, in words. */
    public String source() {
        return source;
    }

    /** The factors, by rising time; each counts until the next. */
    public List<SignalStep> steps() {
        return steps;
    }

    /** The end of the last step, in seconds since the epoch; 0 without steps. */
    public long until() {
        return until;
    }

    /** Whether each hour costs the same. */
    public boolean isNone() {
        return steps.isEmpty();
    }

    /** Returns the PE-seconds of some parts, each multiplied by its factor. O(log n) for n steps and each part. */
    BigDecimal weighed(List<Part> parts) {
        var sum = BigDecimal.ZERO;
        for (var part : parts) {
            sum = sum.add(BigDecimal.valueOf(sum(part.slot()), 6).multiply(BigDecimal.valueOf(part.pes())));
        }
        return sum;
    }

    /** Returns the sum of the factors of all seconds of a slot, in millionths. O(log n) for n steps. */
    public long sum(Slot slot) {
        return sumBefore(slot.end()) - sumBefore(slot.start());
    }

    /** Returns the sum of the factors of all seconds before {@code second}. It may overflow; the difference of two such sums is right. */
    private long sumBefore(long second) {
        if (second >= until) {
            return sums[steps.size()] + (second - until) * SignalStep.ONE;
        }
        int step = firstAfter(second) - 1;
        return step < 0
                ? second * SignalStep.ONE
                : sums[step]
                        + (second - steps.get(step).from()) * steps.get(step).millionths();
    }

    private long millionths(long second) {
        int step = firstAfter(second) - 1;
        return step < 0 || second >= until ? SignalStep.ONE : steps.get(step).millionths();
    }

    /** Returns the number of the first step that begins after {@code second}; that of steps if there is none. */
    private int firstAfter(long second) {
        int low = 0;
        int high = steps.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (steps.get(middle).from() > second) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Returns the factor at {@code second}. */
    public BigDecimal at(long second) {
        return BigDecimal.valueOf(millionths(second), 6);
    }

    /** Compares the mean factors of two runs. */
    public int compareMeans(List<Part> one, List<Part> other) {
        return isNone() ? 0 : compareScaled(BigDecimal.ONE, one, BigDecimal.ONE, other);
    }

    /** Compares two amounts, each multiplied by the mean factor of a run. */
    public int compareScaled(BigDecimal amount, List<Part> one, BigDecimal otherAmount, List<Part> other) {
        return amount.multiply(weighed(one))
                .multiply(work(other))
                .compareTo(otherAmount.multiply(weighed(other)).multiply(work(one)));
    }

    private static BigDecimal work(List<Part> parts) {
        return BigDecimal.valueOf(parts.stream().mapToLong(Part::work).sum());
    }

    /** Returns the seconds of a slot at which the factor may change, in order. O(log n) for n steps, and as many as are taken. */
    public LongStream changes(Slot slot) {
        return isNone()
                ? LongStream.empty()
                : LongStream.concat(
                        steps.subList(firstAfter(slot.start() - 1), firstAfter(slot.end() - 1)).stream()
                                .mapToLong(SignalStep::from),
                        LongStream.of(until).filter(slot::contains));
    }

    /**
     * Starts of a run in which its mean factor changes at a constant rate.
     *
     * @param factors the sum of the factors during the run from the first start, in millionths
     * @param rate by how much that sum rises for each second that the run starts later
     */
    public record Stretch(Slot starts, long factors, long rate) {

        /** Returns the first start from which the sum of the factors is at most that. */
        public OptionalLong firstWithin(long most) {
            long start = factors <= most || rate >= 0
                    ? starts.start()
                    : starts.start() + Math.ceilDiv(factors - most, -rate);
            return starts.contains(start) && factors + rate * (start - starts.start()) <= most
                    ? OptionalLong.of(start)
                    : OptionalLong.empty();
        }
    }

    /**
     * Splits the starts of a run where the factor changes when the run begins or ends. O(log n) for n steps and each stretch.
     *
     * @param most the most stretches to return; the later starts are left out
     */
    public List<Stretch> stretches(Slot starts, long duration, int most) {
        var stretches = new ArrayList<Stretch>();
        long at = starts.start();
        long factors = sum(Slot.of(at, duration));
        while (at < starts.end() && stretches.size() < most) {
            long next = Math.min(starts.end(), Math.min(changeAfter(at), changeAfter(at + duration) - duration));
            long rate = millionths(at + duration) - millionths(at);
            stretches.add(new Stretch(new Slot(at, next), factors, rate));
            factors += rate * (next - at);
            at = next;
        }
        return stretches;
    }

    private long changeAfter(long second) {
        int next = firstAfter(second);
        return next < steps.size() ? steps.get(next).from() : second < until ? until : Long.MAX_VALUE;
    }

    /**
     * Returns the factors of {@code next} from its first step on, and before it those of this signal. Between the two the factor is 1. If
     * there are too many steps, the oldest are forgotten.
     *
     * @param next a signal with steps
     */
    public Signal followedBy(Signal next) {
        var before = before(next.steps.getFirst().from());
        var gap = before.isNone() || before.until == next.steps.getFirst().from()
                ? Stream.<SignalStep>empty()
                : Stream.of(new SignalStep(before.until, SignalStep.ONE));
        var all = Stream.of(before.steps.stream(), gap, next.steps.stream())
                .flatMap(some -> some)
                .toList();
        return new Signal(next.source, all.subList(Math.max(0, all.size() - MAX_STEPS), all.size()), next.until);
    }

    /** Returns this signal, ending at {@code end} at the latest. */
    public Signal before(long end) {
        if (end >= until) {
            return this;
        }
        var left = new ArrayList<>(steps);
        left.removeIf(step -> step.from() >= end);
        return left.isEmpty() ? NONE : new Signal(source, left, end);
    }

    /** Returns this signal without the steps that end at {@code start} or earlier. */
    public Signal since(long start) {
        return until <= start
                ? NONE
                : new Signal(source, steps.subList(Math.max(0, firstAfter(start) - 1), steps.size()), until);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Signal that
                && source.equals(that.source)
                && steps.equals(that.steps)
                && until == that.until;
    }

    @Override
    public int hashCode() {
        return Objects.hash(source, steps, until);
    }

    @Override
    public String toString() {
        return "Signal[source=%s, steps=%s, until=%d]".formatted(source, steps, until);
    }
}
