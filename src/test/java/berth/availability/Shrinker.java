package berth.availability;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Shortens a failing sequence: leaves out pieces, large ones first, as long as the rest still fails. */
final class Shrinker {

    private Shrinker() {}

    /** A part of {@code sequence}, in order, that fails and no longer does when any one element is left out. */
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
