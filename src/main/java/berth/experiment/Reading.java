package berth.experiment;

import java.util.List;

/**
 * The claims of a paper, with something that it leaves open read in another way than in our main study.
 *
 * @param says what is read otherwise, as in {@code utilisation up to the last end}
 */
public record Reading(String says, List<Claim> claims) {

    public Reading {
        claims = List.copyOf(claims);
    }
}
