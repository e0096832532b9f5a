package berth.sla;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import berth.time.Slot;
import berth.time.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TermsTest {

    private final Terms terms = terms(new Window(100, 160), 20, 4);

    @Test
    void areAsFlexibleAsTheWindowIsLongerThanTheRun() {
        assertThat(terms.flexibility()).isEqualTo(40);
        assertThat(terms(new Window(100, 160), 60, 4).flexibility()).isZero();
    }

    @Test
    void mustBeginByTheLatestStartToMeetTheDeadline() {
        assertThat(terms.latestStart()).isEqualTo(140);
        assertThat(terms(new Window(100, 160), 60, 4).latestStart()).isEqualTo(100);
    }

    @Test
    void allowSlotsOfTheirDurationInsideTheWindow() {
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 120), terms.pes()))))
                .isTrue();
        assertThat(terms.allow(List.of(Part.whole(new Slot(140, 160), terms.pes()))))
                .isTrue();
        assertThat(terms.allow(List.of(Part.whole(new Slot(99, 119), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(141, 161), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 119), terms.pes()))))
                .isFalse();
        assertThat(terms.allow(List.of(Part.whole(new Slot(100, 121), terms.pes()))))
                .isFalse();
    }

    @Test
    void refuseARunThatIsLongerThanItsWindow() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms(new Window(100, 160), 61, 4))
                .withMessage("A run of 61 s does not fit into a window of 60 s.");
    }

    @Test
    void refuseARunOfNoTimeOrNoPes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> terms(new Window(100, 160), 0, 4))
                .withMessage("A shape needs positive PEs and a positive run time, but has 4 PEs and 0 s.");
        assertThatIllegalArgumentException().isThrownBy(() -> terms(new Window(100, 160), 20, 0));
    }

    @Test
    void leaveAStrictRunNoChoiceAndAnyOtherSome() {
        assertThat(choice(terms(new Window(100, 120), 20, 4), 100, 0)).isFalse();
        assertThat(choice(terms(new Window(100, 121), 20, 4), 100, 0)).isTrue();
        // one second too late for another place, and then for the present one
        assertThat(choice(terms(new Window(100, 121), 20, 4), 100, 101)).isTrue();
        assertThat(choice(terms(new Window(100, 121), 20, 4), 101, 101)).isFalse();
        assertThat(choice(terms(new Window(100, 121), 20, 4), 101, 102)).isFalse();
    }

    private static boolean choice(Terms terms, long start, long earliest) {
        return terms.leaveAChoice(
                List.of(Part.whole(Slot.of(start, terms.runTime()), terms.pes())),
                0,
                Math.max(100, earliest),
                terms.window().deadline());
    }

    /** Compares the answer with all existing places, in windows of a few seconds. */
    @Test
    void leaveAChoiceWhereThereIsAnotherPlace() {
        var random = new SplittableRandom(15);
        int[] answers = new int[2];
        int certain = 0;
        for (int i = 0; i < 3_000; i++) {
            var terms = anyTerms(random);
            var places = new ArrayList<List<Part>>();
            collect(terms, List.of(), 0, 0, places);
            var lies = places.get(random.nextInt(places.size()));
            int begun = random.nextInt(lies.size());
            long ready = begun == 0 ? 0 : lies.get(begun - 1).slot().end();
            long earliest = random.nextLong(ready, terms.window().deadline() + 1);

            var others = new ArrayList<List<Part>>();
            var stays = lies.subList(0, begun);
            collect(terms, stays, begun, earliest, others);
            boolean isThere = others.stream().anyMatch(other -> !other.equals(lies));
            boolean told =
                    terms.leaveAChoice(lies, begun, earliest, terms.window().deadline());

            boolean mayTellTooMuch = terms.shapes().size() > 1
                    && terms.preemption().filter(Preemption::moldableParts).isPresent();
            if (!mayTellTooMuch || isThere) {
                assertThat(told)
                        .as("%s at %s, %d begun, from %d", terms, lies, begun, earliest)
                        .isEqualTo(isThere);
            }
            answers[told ? 1 : 0]++;
            certain += told == isThere ? 1 : 0;
        }
        assertThat(answers[0]).isGreaterThan(300);
        assertThat(answers[1]).isGreaterThan(300);
        assertThat(certain).isGreaterThan(2_800);
    }

    private static Terms anyTerms(SplittableRandom random) {
        int steps = List.of(1, 2, 4).get(random.nextInt(3));
        long least = random.nextLong(steps, 7);
        var runTimes = new TreeMap<>(Map.of(4, least));
        if (random.nextBoolean()) {
            runTimes.put(2, random.nextLong(least, 2 * least + 1));
        }
        var moldability = new Moldability.Runtimes(runTimes);
        return new Terms(
                new Window(0, random.nextLong(least, least + 5)),
                least,
                moldability.shapes(least),
                Optional.of(moldability),
                steps == 1
                        ? Optional.empty()
                        : Optional.of(new Preemption(
                                OptionalInt.of(1 + random.nextInt(steps)),
                                BigDecimal.ONE.divide(BigDecimal.valueOf(steps)),
                                random.nextBoolean())),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }

    /** Collects all ways to continue after these parts; adjacent parts with equal PEs count as one. */
    private static void collect(Terms terms, List<Part> parts, int begun, long earliest, List<List<Part>> found) {
        int done = parts.stream().mapToInt(Part::steps).sum();
        if (done == terms.steps()) {
            if (terms.allow(parts)) {
                found.add(parts);
            }
            return;
        }
        for (var shape : terms.shapes()) {
            for (int to = done + 1; to <= terms.steps(); to++) {
                long length = shape.cut(to, terms.steps()) - shape.cut(done, terms.steps());
                long from = parts.isEmpty()
                        ? earliest
                        : Math.max(earliest, parts.getLast().slot().end());
                for (long start = from; start + length <= terms.window().deadline(); start++) {
                    boolean touches = parts.size() > begun
                            && parts.getLast().slot().end() == start
                            && parts.getLast().pes() == shape.pes();
                    if (!touches && length > 0) {
                        var more = new ArrayList<>(parts);
                        more.add(new Part(Slot.of(start, length), shape.pes(), Optional.empty(), to - done));
                        collect(terms, List.copyOf(more), begun, earliest, found);
                    }
                }
            }
        }
    }

    private static Terms terms(Window window, long duration, int pes) {
        return new Terms(
                window,
                duration,
                List.of(new Shape(pes, duration)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Fixing.BY_NOTICE,
                QosScenario.INTERVAL);
    }
}
