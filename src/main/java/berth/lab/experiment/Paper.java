package berth.lab.experiment;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A paper and the studies that repeat its experiments.
 *
 * @param number the number, such as {@code 000}, with which its claims begin
 * @param title the title
 * @param source its authors, and where and when it appeared
 * @param study the study by our main reading
 * @param variations studies with other readings; they give no verdicts but show on what a verdict depends
 * @param supported the reading that the paper's text supports best; empty if it has no claims
 */
public record Paper(
        String number,
        String title,
        String source,
        Study<?, ?> study,
        List<Variation> variations,
        Optional<Supported> supported) {

    /**
     * A study with another reading than the main one.
     *
     * @param says the difference, see {@link OtherReading#says}
     */
    public record Variation(String says, Study<?, ?> study) {}

    /**
     * The reading that a paper's text supports best. It was chosen by the text alone, before the table of readings was made.
     *
     * @param says the reading, see {@link OtherReading#says}; empty for the main one
     * @param because the words of the paper that support it
     */
    public record Supported(String says, String because) {}

    public Paper {
        variations = List.copyOf(variations);
    }

    /** Creates a paper without a supported reading. */
    public Paper(String number, String title, String source, Study<?, ?> study, List<Variation> variations) {
        this(number, title, source, study, variations, Optional.empty());
    }

    /** Returns the same paper with the reading that its text supports best. */
    public Paper supporting(String says, String because) {
        return new Paper(number, title, source, study, variations, Optional.of(new Supported(says, because)));
    }

    /** Returns the paper with the main study only. */
    Paper withoutVariations() {
        return new Paper(number, title, source, study, List.of(), supported);
    }

    /** Returns the main study and its variations. */
    List<Study<?, ?>> studies() {
        return Stream.concat(Stream.of(study), variations.stream().map(Variation::study))
                .toList();
    }
}
