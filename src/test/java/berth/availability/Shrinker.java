package berth.availability;

import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Shortens a failing sequence: it leaves out pieces, large ones first, while the rest still fails. */
public final class Shrinker {

    private Shrinker() {}

    /**
     * Plays {@code sequence}. If that fails, it fails with the shortest part of the sequence that fails too.
     *
     * @param what the name of the sequence in the message
     * @param play plays a sequence from a fresh start and throws on a failure
     */
    public static <T> void play(String what, List<T> sequence, Consumer<List<T>> play) {
        try {
            play.accept(sequence);
        } catch (AssertionError | RuntimeException original) {
            List<T> shortest = shortest(sequence, rest -> fails(rest, play));
            String listed = shortest.stream().map(String::valueOf).collect(Collectors.joining("\n  "));
            fail("%s, fails after:\n  %s".formatted(what, listed), original);
        }
    }

    private static <T> boolean fails(List<T> sequence, Consumer<List<T>> play) {
        try {
            play.accept(sequence);
            return false;
        } catch (AssertionError | RuntimeException e) {
            return true;
        }
    }

    /** Returns a part of {@code sequence}, in order, that fails but no longer does without any one of its elements. */
    static <T> List<T> shortest(List<T> sequence, Predicate<List<T>> fails) {
        List<T> shortest = sequence;
        int piece = Math.max(1, sequence.size() / 2);
        while (true) {
            int before = shortest.size();
            for (int from = 0; from < shortest.size(); ) {
                List<T> rest = new ArrayList<>(shortest.subList(0, from));
                rest.addAll(shortest.subList(Math.min(from + piece, shortest.size()), shortest.size()));
                if (fails.test(rest)) {
                    shortest = rest;
                } else {
                    from += piece;
                }
            }
            if (piece == 1 && shortest.size() == before) {
                return shortest;
            }
            piece = Math.max(1, piece / 2);
        }
    }
}
