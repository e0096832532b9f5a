package berth.rest;

import berth.broker.Peers;
import io.swagger.v3.oas.annotations.media.Schema;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What this service is, for other services that want to know whom they speak with. */
@RestController
class InstallationController {

    private final Peers peers;

    InstallationController(Peers peers) {
        this.peers = peers;
    }

    /**
     * What a service is.
     *
     * @param service the word berth
     * @param contract the version of the contract that it offers
     * @param instance what tells this installation from all others, for as long as its database lasts
     */
    @Schema(name = "Installation")
    record InstallationBody(String service, int contract, String instance) {}

    /** Tells what this service is. */
    @GetMapping("/api/v1")
    InstallationBody readInstallation() {
        return new InstallationBody(Peers.SERVICE, Peers.CONTRACT, peers.instance());
    }
}
