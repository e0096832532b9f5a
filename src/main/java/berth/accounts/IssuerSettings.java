package berth.accounts;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings below {@code berth.jwt}: what the tokens of the issuer say about people. An invalid value prevents the start.
 *
 * @param accountClaim the claim that names the account
 * @param groupsClaim the claim with the groups of a person, or the path to it, see {@link Person#groups}
 * @param nameClaim the claim with the name of a person
 * @param adminGroups the groups that make an account an administrator
 * @param viewerGroups the groups that make an account a viewer
 * @param firstSignIn the accounts that Berth makes
 */
@ConfigurationProperties("berth.jwt")
public record IssuerSettings(
        @DefaultValue("sub") String accountClaim,
        @DefaultValue("groups") String groupsClaim,
        @DefaultValue("name") String nameClaim,
        @DefaultValue List<String> adminGroups,
        @DefaultValue List<String> viewerGroups,
        @DefaultValue FirstSignIn firstSignIn) {

    /**
     * The accounts that Berth makes for people who come with a valid token and have none.
     *
     * @param template the account of which new accounts are copies; empty to make no accounts
     * @param groups the groups of which a person must be in one; everybody gets an account if it is empty
     * @param perMinute the most accounts to make in a minute
     * @param inAll the number of accounts, deleted ones included, from which on Berth makes no more
     */
    public record FirstSignIn(
            @DefaultValue("") String template,
            @DefaultValue List<String> groups,
            @DefaultValue("60") int perMinute,
            @DefaultValue("10000") int inAll) {

        /** @throws IllegalArgumentException if a number is less than one */
        public FirstSignIn {
            if (perMinute < 1 || inAll < 1) {
                throw new IllegalArgumentException("per-minute and in-all must be at least 1.");
            }
        }
    }

    /** Returns the role that groups give; empty if they give none. */
    Optional<Role> role(Set<String> groups) {
        if (adminGroups.stream().anyMatch(groups::contains)) {
            return Optional.of(Role.ADMIN);
        }
        return viewerGroups.stream().anyMatch(groups::contains) ? Optional.of(Role.VIEWER) : Optional.empty();
    }
}
