package berth.service;

import berth.accounts.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.security.authorization.AuthenticatedAuthorizationManager;
import org.springframework.security.authorization.AuthorityAuthorizationManager;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.authorization.AuthorizationResult;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;

/**
 * Restricts calls that are missing from the table of roles to administrators. Other callers get "not found" if the call does not exist; if
 * it does, {@link #isClosed} reports that it is not open to them.
 */
public final class UnlistedCalls implements AuthorizationManager<RequestAuthorizationContext> {

    private static final String CLOSED = UnlistedCalls.class.getName() + ".closed";

    private final AuthorizationManager<RequestAuthorizationContext> known =
            AuthenticatedAuthorizationManager.authenticated();
    private final AuthorizationManager<RequestAuthorizationContext> administrators =
            AuthorityAuthorizationManager.hasRole(Role.ADMIN.name());

    @Override
    public @Nullable AuthorizationResult authorize(
            Supplier<? extends @Nullable Authentication> caller, RequestAuthorizationContext call) {
        var administrator = administrators.authorize(caller, call);
        if (administrator != null && administrator.isGranted()) {
            return administrator;
        }
        var request = call.getRequest();
        // the methods that a path supports are not secret
        if (!request.getMethod().equals(HttpMethod.OPTIONS.name())) {
            request.setAttribute(CLOSED, true);
        }
        return known.authorize(caller, call);
    }

    /** Whether the call, if it exists, is not open to the caller. */
    public static boolean isClosed(HttpServletRequest request) {
        return request.getAttribute(CLOSED) != null;
    }
}
