package berth.service;

import static berth.http.ProblemCode.TOO_LARGE;

import berth.http.Refuses;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Calls by which the page signs people in and out. */
@RestController
@RequestMapping("/api/v1/session")
class SessionController {

    private final Sessions sessions;

    SessionController(Sessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Begins a session of the page. The response sets the cookie `berth-session`, which stands for the token in the header `Authorization`
     * for seven days, or until the token becomes invalid. A call with the cookie cannot begin another session.
     */
    @PostMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    @Refuses(TOO_LARGE)
    void beginSession(BearerTokenAuthentication caller, HttpServletRequest request, HttpServletResponse response) {
        if (request.getHeader(HttpHeaders.AUTHORIZATION) == null) {
            throw RestConfiguration.UNAUTHORIZED;
        }
        var cookie = sessions.begin(caller.getToken().getTokenValue(), request);
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    /** Ends the session of the page: the response removes the cookie. The token stays valid. */
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void endSession(HttpServletRequest request, HttpServletResponse response) {
        response.addHeader(HttpHeaders.SET_COOKIE, Sessions.end(request).toString());
    }
}
