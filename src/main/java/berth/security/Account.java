package berth.security;

import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;

/**
 * Somebody who calls.
 *
 * @param name unique, also among those that were deleted; owns reservations
 * @param role what it may do
 * @param priority how its requests rank where they are collected, {@link #LOWEST_PRIORITY} to {@link #HIGHEST_PRIORITY}
 * @param serviceClass how the provider classes it
 * @param limits the most it may have booked
 * @param version how often it has changed since it was created, its token included
 */
public record Account(
        AccountName name, Role role, int priority, ServiceClass serviceClass, AccountLimits limits, int version)
        implements OAuth2AuthenticatedPrincipal {

    public static final int LOWEST_PRIORITY = 1;
    public static final int HIGHEST_PRIORITY = 10;

    /** That of whom nothing else is said. */
    public static final int STANDARD_PRIORITY = 5;

    /** @throws IllegalArgumentException if there is no such priority */
    public Account {
        if (priority < LOWEST_PRIORITY || priority > HIGHEST_PRIORITY) {
            throw new IllegalArgumentException("Account %s has priority %d.".formatted(name, priority));
        }
    }

    /** An account that is still to be created. */
    public static Account fresh(
            AccountName name, Role role, int priority, ServiceClass serviceClass, AccountLimits limits) {
        return new Account(name, role, priority, serviceClass, limits, 0);
    }

    /** Whether reservations of {@code owner} are its business. */
    public boolean mayAccess(AccountName owner) {
        return role == Role.ADMIN || name.equals(owner);
    }

    Account withRole(Role other) {
        return new Account(name, other, priority, serviceClass, limits, version);
    }

    Account withVersion(int other) {
        return new Account(name, role, priority, serviceClass, limits, other);
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
