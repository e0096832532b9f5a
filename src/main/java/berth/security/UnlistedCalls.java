package berth.security;

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
 * Calls that the table of roles does not know: an administrator's alone. Others with a token hear that there is nothing,
 * where there is nothing; where a call is found after all, {@link #isClosed} says that it is not open to them.
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
        // what methods a path knows is no secret
        if (!request.getMethod().equals(HttpMethod.OPTIONS.name())) {
            request.setAttribute(CLOSED, true);
        }
        return known.authorize(caller, call);
    }

    /** Whether the call, if there is one, is not open to whoever makes it. */
    public static boolean isClosed(HttpServletRequest request) {
        return request.getAttribute(CLOSED) != null;
    }
}
