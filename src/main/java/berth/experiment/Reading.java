package berth.experiment;

import java.util.List;

/**
 * The claims of a paper under another reading than that of the main study.
 *
 * @param says the difference, as in {@code utilisation up to the last end}
 */
public record Reading(String says, List<Claim> claims) {

    public Reading {
        claims = List.copyOf(claims);
    }
}
