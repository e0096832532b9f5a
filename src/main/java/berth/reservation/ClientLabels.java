package berth.reservation;

import berth.sla.Configuration;
import berth.sla.Settable;
import java.util.Optional;

/**
 * What a client writes on a reservation for its own use. Each component is a field of the client's request and of the reservation that Berth
 * returns, and is recorded with the reservation.
 *
 * @param name the client's own label
 * @param project the project that the client files it under
 */
public record ClientLabels(
        @Settable(example = "my first run") Optional<String> name,
        @Settable(example = "climate") Optional<String> project)
        implements Configuration<ClientLabels> {

    public static final ClientLabels NONE = new ClientLabels(Optional.empty(), Optional.empty());
}
