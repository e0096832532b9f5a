package berth.experiment;

import java.util.List;
import java.util.stream.Stream;

/**
 * A paper, and how its experiments are repeated.
 *
 * @param number such as {@code 000}, which its claims begin with
 * @param title of the paper
 * @param source its authors, and where and when it appeared
 * @param study as we read the paper
 * @param variations studies that read otherwise what it leaves open; what they find is no verdict, but shows on what one hangs
 */
public record Paper(String number, String title, String source, Study<?, ?> study, List<Variation> variations) {

    /**
     * A study that differs from the main one.
     *
     * @param says in what, see {@link Reading#says}
     */
    public record Variation(String says, Study<?, ?> study) {}

    public Paper {
        variations = List.copyOf(variations);
    }

    /** The main study alone. */
    Paper withoutVariations() {
        return new Paper(number, title, source, study, List.of());
    }

    /** The main study and those that vary it. */
    List<Study<?, ?>> studies() {
        return Stream.concat(Stream.of(study), variations.stream().map(Variation::study))
                .toList();
    }
}
