package berth.security;

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
 * @param name unique; owns reservations
 * @param role what it may do
 * @param serviceClass how the provider classes it
 */
public record Account(String name, Role role, ServiceClass serviceClass) implements OAuth2AuthenticatedPrincipal {

    /** Whether reservations of {@code owner} are its business. */
    public boolean mayAccess(String owner) {
        return role == Role.ADMIN || name.equals(owner);
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public Collection<? extends GrantedAuthority> getAuthorities() {
        return List.of(new SimpleGrantedAuthority("ROLE_" + role));
    }

    @Override
    public Map<String, Object> getAttributes() {
        return Map.of("sub", name);
    }
}
