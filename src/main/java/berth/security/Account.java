package berth.security;

import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
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
 * Somebody who calls.
 *
 * @param name unique, also among those that were deleted; owns reservations
 * @param role what it may do
 * @param cluster whose agent it is; there for an {@link Role#AGENT} and nobody else
 * @param priority how its requests rank where they are collected, {@link #LOWEST_PRIORITY} to {@link #HIGHEST_PRIORITY}
 * @param serviceClass how the provider classes it
 * @param limits the most it may have booked
 * @param leads how long ahead, in seconds, starts and ends are announced in what it reads of events
 * @param version how often it has changed since it was created, its token included
 */
public record Account(
        AccountName name,
        Role role,
        Optional<ClusterId> cluster,
        int priority,
        ServiceClass serviceClass,
        AccountLimits limits,
        Set<Long> leads,
        int version)
        implements OAuth2AuthenticatedPrincipal {

    public static final int LOWEST_PRIORITY = 1;
    public static final int HIGHEST_PRIORITY = 10;

    /** That of whom nothing else is said. */
    public static final int STANDARD_PRIORITY = 5;

    /** @throws IllegalArgumentException if there is no such priority, an agent has no cluster, or somebody else has one */
    public Account {
        leads = Set.copyOf(leads);
        if (priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException("Account %s has priority %d.".formatted(name, priority));
        }
        if (cluster.isPresent() != (role == Role.AGENT)) {
            throw new IllegalArgumentException("Account %s has the role %s and %s."
                    .formatted(name, role, cluster.map(id -> "cluster " + id).orElse("no cluster")));
        }
    }

    /** An account that is still to be created, and is no agent. */
    public static Account fresh(
            AccountName name, Role role, int priority, ServiceClass serviceClass, AccountLimits limits) {
        return new Account(name, role, Optional.empty(), priority, serviceClass, limits, Set.of(), 0);
    }

    /** Whether what belongs to {@code owner} is its business, projects apart: {@link Projects#access}. */
    public boolean mayAccess(AccountName owner) {
        return role == Role.ADMIN || name.equals(owner);
    }

    /** Whether it may have reservations, and see them. */
    public boolean hasReservations() {
        return role == Role.ADMIN || role == Role.CLIENT;
    }

    public boolean isAgentOf(ClusterId id) {
        return cluster.equals(Optional.of(id));
    }

    /** In another role, which is not that of an agent. */
    Account withRole(Role other) {
        return new Account(name, other, Optional.empty(), priority, serviceClass, limits, leads, version);
    }

    Account withVersion(int other) {
        return new Account(name, role, cluster, priority, serviceClass, limits, leads, other);
    }

    /** The same, told otherwise ahead. */
    public Account withLeads(Set<Long> other) {
        return new Account(name, role, cluster, priority, serviceClass, limits, other, version);
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
