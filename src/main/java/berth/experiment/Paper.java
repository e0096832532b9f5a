package berth.experiment;

import java.util.List;
import java.util.stream.Stream;

/**
 * A paper and the studies that repeat its experiments.
 *
 * @param number the number, such as {@code 000}, with which its claims begin
 * @param title the title
 * @param source its authors, and where and when it appeared
 * @param study the study by our main reading
 * @param variations studies with other readings; they give no verdicts but show on what a verdict depends
 */
public record Paper(String number, String title, String source, Study<?, ?> study, List<Variation> variations) {

    /**
     * A study with another reading than the main one.
     *
     * @param says the difference, see {@link Reading#says}
     */
    public record Variation(String says, Study<?, ?> study) {}

    public Paper {
        variations = List.copyOf(variations);
    }

    /** Returns the paper with the main study only. */
    Paper withoutVariations() {
        return new Paper(number, title, source, study, List.of());
    }

    /** Returns the main study and its variations. */
    List<Study<?, ?>> studies() {
        return Stream.concat(Stream.of(study), variations.stream().map(Variation::study))
                .toList();
    }
}
