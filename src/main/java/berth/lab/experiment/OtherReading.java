package berth.lab.experiment;

import java.util.List;

/**
 * The claims of a paper under another reading than that of the main study.
 *
 * @param says the difference, as in {@code utilisation up to the last end}
 * @param claims the claims for which the reading is of interest
 * @param every all claims that the runs suffice to judge, each under this reading
 */
public record OtherReading(String says, List<PaperClaim> claims, List<PaperClaim> every) {

    public OtherReading {
        claims = List.copyOf(claims);
        every = List.copyOf(every);
    }

    /** Creates a reading without further claims. */
    public OtherReading(String says, List<PaperClaim> claims) {
        this(says, claims, claims);
    }

    /**
     * Returns the same reading, which leaves the verdicts of other claims as they are.
     *
     * @param others the claims of the study to which the reading belongs
     */
    public OtherReading leaving(List<PaperClaim> others) {
        return new OtherReading(
                says,
                claims,
                others.stream()
                        .map(other -> claims.stream()
                                .filter(claim -> claim.id().equals(other.id()))
                                .findFirst()
                                .orElse(other))
                        .toList());
    }
}
