package berth.instances.web;

import berth.instances.Instance;
import berth.instances.Instances;
import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The call that lists the instances of this service, for administrators. */
@RestController
class InstancesController {

    private final Instances instances;

    InstancesController(Instances instances) {
        this.instances = instances;
    }

    /**
     * The instances that share a database.
     *
     * @param items the live instances, in the order in which they started
     */
    @Schema(name = "Instances")
    record InstancesBody(List<InstanceBody> items) {}

    /**
     * An instance: a process of Berth.
     *
     * @param id id that no other process ever has
     * @param name the process and its machine
     * @param url address at which the other instances reach it
     * @param berth its version of Berth
     * @param state state of the instance: one is active and decides; the others are on standby or leaving
     * @param startedAt when it started
     * @param heardAt time of its last sign of life
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

    /** Lists the instances and shows which of them is active. */
    @GetMapping("/api/v1/instances")
    InstancesBody listInstances() {
        return new InstancesBody(instances.all().stream().map(InstanceBody::of).toList());
    }
}
