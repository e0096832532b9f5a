package berth.availability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkerTest {

    @Test
    void keepsOnlyTheStepsThatTheFailureNeeds() {
        List<Integer> sequence = IntStream.range(0, 100).boxed().toList();

        List<Integer> shortest = Shrinker.shortest(sequence, rest -> rest.containsAll(List.of(3, 41, 99)));

        assertThat(shortest).containsExactly(3, 41, 99);
    }

    @Test
    void showsTheShortestFailureAndTheOriginalError() {
        List<Integer> sequence = IntStream.range(0, 100).boxed().toList();
        RuntimeException original = new IllegalStateException("41 again");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> Shrinker.play("numbers", sequence, rest -> {
                    if (rest.contains(41)) {
                        throw original;
                    }
                }))
                .withMessage("numbers, fails after:\n  41")
                .withCause(original);
    }

    @Test
    void keepsASequenceThatFailsOnlyAsAWhole() {
        List<Integer> sequence = List.of(1, 2, 3);

        assertThat(Shrinker.shortest(sequence, rest -> rest.size() == 3)).isEqualTo(sequence);
    }
}
