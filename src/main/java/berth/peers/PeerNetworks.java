package berth.peers;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * The networks in which other Berths may be. Berth calls their addresses from its own network, which may reach hosts that the person who
 * entered the address cannot. Link-local addresses, where clouds serve secrets, multicast and wildcard addresses are therefore forbidden,
 * and the operator can restrict the networks further.
 */
public final class PeerNetworks {

    /** Where clouds serve secrets besides link-local addresses, and the IPv6 notations of link-local IPv4 addresses. */
    private static final List<IpAddressMatcher> METADATA = Stream.of(
                    "fd00:ec2::254",
                    "100.100.100.200",
                    "168.63.129.16",
                    "192.0.0.192",
                    // NAT64, IPv4-compatible and 6to4
                    "64:ff9b::a9fe:0/112",
                    "::a9fe:0/112",
                    "2002:a9fe::/32")
            .map(IpAddressMatcher::new)
            .toList();

    private final List<IpAddressMatcher> allowed;

    /**
     * Creates the rules.
     *
     * @param networks the only allowed networks, such as {@code 10.0.0.0/8}; empty for all
     * @throws IllegalArgumentException if one of them is not a network
     */
    public PeerNetworks(List<String> networks) {
        allowed = networks.stream().map(IpAddressMatcher::new).toList();
    }

    /**
     * Returns why a host is forbidden, by its present addresses; empty if it is allowed.
     *
     * @throws UnknownHostException if its name cannot be resolved
     */
    Optional<String> objection(String host) throws UnknownHostException {
        for (var address : InetAddress.getAllByName(host)) {
            if (address.isLinkLocalAddress() || address.isMulticastAddress() || address.isAnyLocalAddress()) {
                return Optional.of(
                        "its address %s is link-local, multicast or a wildcard".formatted(address.getHostAddress()));
            }
            if (METADATA.stream().anyMatch(network -> network.matches(address.getHostAddress()))) {
                return Optional.of(
                        "its address %s is one where clouds serve secrets".formatted(address.getHostAddress()));
            }
            if (!allowed.isEmpty()
                    && allowed.stream().noneMatch(network -> network.matches(address.getHostAddress()))) {
                return Optional.of(
                        "its address %s is in none of the networks that the operator of this Berth allows in berth.peers.networks"
                                .formatted(address.getHostAddress()));
            }
        }
        return Optional.empty();
    }
}
