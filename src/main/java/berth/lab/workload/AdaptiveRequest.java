package berth.lab.workload;

import berth.sla.Moldability;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import java.util.Optional;

/**
 * A request that the provider may adapt (paper 003, section 3).
 *
 * @param request the request in its largest shape and in one part
 * @param moldability the other shapes of the run; empty if it is rigid
 * @param preemption how it can be split; empty if it cannot
 * @param serviceClass the class of its account
 */
public record AdaptiveRequest(
        ReservationRequest request,
        Optional<Moldability> moldability,
        Optional<Preemption> preemption,
        ServiceClass serviceClass) {}
