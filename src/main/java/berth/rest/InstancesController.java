package berth.rest;

import berth.desk.Instance;
import berth.desk.Instances;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The processes that serve, for administrators. */
@RestController
class InstancesController {

    private final Instances instances;

    InstancesController(Instances instances) {
        this.instances = instances;
    }

    /**
     * The instances on one database.
     *
     * @param items those that are alive, in the order of their starts
     */
    @Schema(name = "Instances")
    record InstancesBody(List<InstanceBody> items) {}

    /**
     * A process of Berth.
     *
     * @param id which no other process ever has
     * @param name the process and its machine
     * @param url where the others reach it
     * @param berth the version of Berth
     * @param state what it does: one is active and decides, the others stand by, or leave
     * @param startedAt when it was started
     * @param heardAt when it was heard of last
     */
    @Schema(name = "Instance")
    record InstanceBody(
            UUID id, String name, URI url, String berth, InstanceState state, String startedAt, String heardAt) {

        static InstanceBody of(Instance instance) {
            return new InstanceBody(
                    instance.id(),
                    instance.name(),
                    instance.url(),
                    instance.version(),
                    InstanceState.of(instance.state()),
                    instance.startedAt().toString(),
                    instance.heardAt().toString());
        }
    }

    /** Tells which processes serve, and which of them decides. */
    @GetMapping("/api/v1/instances")
    InstancesBody listInstances() {
        return new InstancesBody(instances.all().stream().map(InstanceBody::of).toList());
    }
}
