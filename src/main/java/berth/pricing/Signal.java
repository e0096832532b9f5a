package berth.pricing;

import berth.sla.InvalidFigure;
import berth.sla.Part;
import berth.time.Slot;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Factors on prices by time, such as those of energy, of its carbon, or of the load that a site plans. A run pays the mean of the factors
 * over its PE-seconds. Outside of the steps the factor is 1.
 *
 * @param source where the factors come from, in words
 * @param steps the factors, by rising time; each counts until the next
 * @param until the end of the last step, in seconds since the epoch; 0 without steps
 */
public record Signal(String source, List<SignalStep> steps, long until) {

    /** No factors: each hour costs the same. */
    public static final Signal NONE = new Signal("", List.of(), 0);

    /** The most steps that can be sent at once. */
    public static final int MAX_SENT = 2_000;

    /** The most steps that are kept, those of the past included. */
    static final int MAX_STEPS = 2 * MAX_SENT;

    /** @throws InvalidFigure if there are too many steps, or if their times do not rise */
    public Signal {
        if (steps.size() > MAX_STEPS) {
            throw new InvalidFigure("factors", steps.size(), "must be at most " + MAX_STEPS);
        }
        for (int i = 0; i < steps.size(); i++) {
            long end = i + 1 < steps.size() ? steps.get(i + 1).from() : until;
            if (end <= steps.get(i).from()) {
                throw new InvalidFigure(
                        i + 1 < steps.size() ? "factors[%d].from".formatted(i + 1) : "to",
                        end,
                        "must be later than the time before it");
            }
        }
        steps = List.copyOf(steps);
    }

    /** Whether each hour costs the same. */
    public boolean isNone() {
        return steps.isEmpty();
    }

    /** Returns the PE-seconds of some parts, each multiplied by its factor. O(log n + steps during the parts). */
    BigDecimal weighed(List<Part> parts) {
        var sum = BigDecimal.ZERO;
        for (var part : parts) {
            sum = sum.add(BigDecimal.valueOf(weighed(part.slot()), 6).multiply(BigDecimal.valueOf(part.pes())));
        }
        return sum;
    }

    /** Returns the sum of the factors of all seconds of a slot, in millionths. */
    private long weighed(Slot slot) {
        long sum = 0;
        long at = slot.start();
        int next = firstAfter(at);
        while (at < slot.end()) {
            long change = next < steps.size() ? steps.get(next).from() : at < until ? until : slot.end();
            long end = Math.min(slot.end(), change);
            sum += (end - at) * millionths(next - 1, at);
            at = end;
            next = Math.min(next + 1, steps.size());
        }
        return sum;
    }

    private long millionths(int step, long at) {
        return step < 0 || at >= until ? SignalStep.ONE : steps.get(step).millionths();
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
        return BigDecimal.valueOf(millionths(firstAfter(second) - 1, second), 6);
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

    /** Returns the seconds of a slot at which the factor may change, in order. */
    public LongStream changes(Slot slot) {
        return isNone()
                ? LongStream.empty()
                : LongStream.concat(steps.stream().mapToLong(SignalStep::from), LongStream.of(until))
                        .filter(slot::contains);
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
}
