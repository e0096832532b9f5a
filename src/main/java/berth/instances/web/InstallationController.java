package berth.instances.web;

import berth.accounts.SignIn;
import berth.peers.Peers;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The call that identifies this service to other services and to clients. */
@RestController
class InstallationController {

    private final Peers peers;
    private final SignIn signIn;
    private final boolean isDemo;
    private final String version;

    InstallationController(
            Peers peers,
            SignIn signIn,
            @Value("${berth.demo}") boolean isDemo,
            @Value("${spring.application.version:development}") String version) {
        this.peers = peers;
        this.signIn = signIn;
        this.isDemo = isDemo;
        this.version = version;
    }

    /**
     * Identity of a service.
     *
     * @param service the word berth
     * @param berth its version of Berth
     * @param contract version of the API that it offers
     * @param instance identifies this installation, for as long as its database exists
     * @param signIn where people without a token of this service sign in; null if they cannot
     * @param demo whether this is a demo, with invented data and with tokens for everybody on its machine
     */
    @Schema(name = "Installation")
    record InstallationBody(
            String service,
            String berth,
            int contract,
            String instance,
            @Nullable SignInBody signIn,
            boolean demo) {}

    /**
     * An OIDC issuer. People sign in there by its code flow with PKCE.
     *
     * @param issuer address of the issuer
     * @param clientId client id of this service's page at the issuer
     * @param scope the scopes that the page asks for, with blanks between
     */
    @Schema(name = "SignIn")
    record SignInBody(URI issuer, String clientId, String scope) {}

    /** Reads the identity of this service. */
    @GetMapping("/api/v1")
    InstallationBody readInstallation() {
        return new InstallationBody(
                Peers.SERVICE,
                version,
                Peers.CONTRACT,
                peers.instance(),
                signIn.at()
                        .map(at -> new SignInBody(at.issuer(), at.clientId(), at.scope()))
                        .orElse(null),
                isDemo);
    }
}
