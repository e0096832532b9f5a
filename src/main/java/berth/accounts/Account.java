package berth.accounts;

import berth.projects.Projects;
import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.Customer;
import berth.sla.ServiceClass;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/**
 * An account that calls Berth.
 *
 * @param name unique, also among deleted accounts; reservations refer to it
 * @param role what the account may do
 * @param cluster the cluster that an agent follows; present if and only if the role is {@link Role#AGENT}
 * @param priority the priority of its collected requests, {@link #LOWEST_PRIORITY} to {@link #HIGHEST_PRIORITY}
 * @param serviceClass the provider's class for the account
 * @param limits the most that it may have reserved
 * @param leads how long ahead its event feed announces starts and ends, in seconds
 * @param displayName the name of the person, for people; anybody may have the same one
 * @param roleByHand the role without groups of the issuer; present only if a group gives the account its role
 * @param version the number of changes since it was created, including new tokens
 */
public record Account(
        AccountName name,
        Role role,
        Optional<ClusterId> cluster,
        int priority,
        ServiceClass serviceClass,
        AccountLimits limits,
        Set<Long> leads,
        Optional<String> displayName,
        Optional<Role> roleByHand,
        int version)
        implements OAuth2AuthenticatedPrincipal {

    public static final int LOWEST_PRIORITY = 1;
    public static final int HIGHEST_PRIORITY = 10;

    /** The default priority. */
    public static final int STANDARD_PRIORITY = 5;

    /** Returns the account as prices depend on it. */
    public Customer customer() {
        return new Customer(name, serviceClass);
    }

    /** @throws IllegalArgumentException if the priority is out of range, an agent has no cluster, or another role has one */
    public Account {
        leads = Set.copyOf(leads);
        if (priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException(
                    "Account %s has the priority %d, which is not between 1 and 10.".formatted(name, priority));
        }
        if (cluster.isPresent() != (role == Role.AGENT)) {
            throw new IllegalArgumentException(
                    "Account %s has the role %s and %s; the role AGENT needs a cluster, and no other role has one."
                            .formatted(
                                    name,
                                    role,
                                    cluster.map(id -> "cluster " + id).orElse("no cluster")));
        }
    }

    /** Returns an account that does not exist yet and is not an agent. */
    public static Account fresh(
            AccountName name, Role role, int priority, ServiceClass serviceClass, AccountLimits limits) {
        return new Account(
                name,
                role,
                Optional.empty(),
                priority,
                serviceClass,
                limits,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    /** Whether the account may see what belongs to {@code owner}, without regard to projects; for those see {@link Projects#access}. */
    public boolean mayAccess(AccountName owner) {
        return role == Role.ADMIN || name.equals(owner);
    }

    /** Whether the account may have and see reservations. */
    public boolean hasReservations() {
        return role == Role.ADMIN || role == Role.CLIENT;
    }

    /** Whether the account is a client that may reserve every PE of every cluster, up to its horizon. */
    public boolean isUnlimited() {
        return role == Role.CLIENT && !limits.boundReservations();
    }

    /** Whether the account belongs to a display, which everybody can read: it sees no prices. */
    public boolean isScreen() {
        return role == Role.SCREEN;
    }

    public boolean isAgentOf(ClusterId id) {
        return cluster.equals(Optional.of(id));
    }

    /** Returns the same account in another role, which must not be AGENT. */
    Account withRole(Role other) {
        return new Account(
                name,
                other,
                Optional.empty(),
                priority,
                serviceClass,
                limits,
                leads,
                displayName,
                Optional.empty(),
                version);
    }

    /**
     * Returns the same account with the role that its groups at the issuer give it. Groups change only the role of a CLIENT or VIEWER. A
     * change of the role ends the leads, which depend on it.
     *
     * @param given the role; empty if no group gives one, so that the account has its role by hand
     */
    Account withRoleOfGroups(Optional<Role> given) {
        var own = roleByHand.orElse(role);
        if (own != Role.CLIENT && own != Role.VIEWER) {
            return this;
        }
        var next = given.orElse(own);
        return new Account(
                name,
                next,
                cluster,
                priority,
                serviceClass,
                limits,
                next == role ? leads : Set.of(),
                displayName,
                next == own ? Optional.empty() : Optional.of(own),
                version);
    }

    Account withVersion(int other) {
        return new Account(name, role, cluster, priority, serviceClass, limits, leads, displayName, roleByHand, other);
    }

    Account withDisplayName(String other) {
        return new Account(
                name, role, cluster, priority, serviceClass, limits, leads, Optional.of(other), roleByHand, version);
    }

    /** Returns the same account with other leads. */
    public Account withLeads(Set<Long> other) {
        return new Account(
                name, role, cluster, priority, serviceClass, limits, other, displayName, roleByHand, version);
    }

    @Override
    public String getName() {
        return name.value();
    }

    @Override
    public Collection<? extends GrantedAuthority> getAuthorities() {
        return List.of(new SimpleGrantedAuthority("ROLE_" + role));
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of("sub", name.value());
    }
}
