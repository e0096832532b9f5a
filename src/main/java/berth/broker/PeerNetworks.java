package berth.broker;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Where other Berths may be. Their addresses are asked from where this one stands, which may reach what whoever named them cannot: so
 * none is link-local, where clouds tell machines their secrets, nor multicast, nor a wildcard, and an operator may allow certain
 * networks alone.
 */
final class PeerNetworks {

    private final List<IpAddressMatcher> allowed;

    /**
     * @param networks the only ones where they may be, such as {@code 10.0.0.0/8}; none: anywhere
     * @throws IllegalArgumentException if one of them is no network
     */
    PeerNetworks(List<String> networks) {
        allowed = networks.stream().map(IpAddressMatcher::new).toList();
    }

    /**
     * Why none may be at a host, as its name is resolved now; empty if one may.
     *
     * @throws UnknownHostException if its name cannot be resolved
     */
    Optional<String> objection(String host) throws UnknownHostException {
        for (var address : InetAddress.getAllByName(host)) {
            if (address.isLinkLocalAddress() || address.isMulticastAddress() || address.isAnyLocalAddress()) {
                return Optional.of(
                        "its address %s is link-local, multicast or a wildcard".formatted(address.getHostAddress()));
            }
            if (!allowed.isEmpty()
                    && allowed.stream().noneMatch(network -> network.matches(address.getHostAddress()))) {
                return Optional.of(
                        "its address %s is in none of the networks of berth.peers.networks, where an operator of this Berth allows others"
                                .formatted(address.getHostAddress()));
            }
        }
        return Optional.empty();
    }
}
