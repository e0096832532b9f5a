package berth.rest;

import berth.broker.Peers;
import berth.security.SignIn;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What this service is, for other services that want to know whom they speak with. */
@RestController
class InstallationController {

    private final Peers peers;
    private final SignIn signIn;

    InstallationController(Peers peers, SignIn signIn) {
        this.peers = peers;
        this.signIn = signIn;
    }

    /**
     * What a service is.
     *
     * @param service the word berth
     * @param contract the version of the contract that it offers
     * @param instance what tells this installation from all others, for as long as its database lasts
     * @param signIn where people sign in who have no token of this service; null: they do not
     */
    @Schema(name = "Installation")
    record InstallationBody(
            String service,
            int contract,
            String instance,
            @Nullable SignInBody signIn) {}

    /**
     * An OIDC issuer, by whose code flow with PKCE people sign in.
     *
     * @param issuer its address
     * @param clientId as what this service's page is known there
     */
    @Schema(name = "SignIn")
    record SignInBody(URI issuer, String clientId) {}

    /** Tells what this service is. */
    @GetMapping("/api/v1")
    InstallationBody readInstallation() {
        return new InstallationBody(
                Peers.SERVICE,
                Peers.CONTRACT,
                peers.instance(),
                signIn.at()
                        .map(at -> new SignInBody(at.issuer(), at.clientId()))
                        .orElse(null));
    }
}
