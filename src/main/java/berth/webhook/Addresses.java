package berth.webhook;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.security.web.util.matcher.IpAddressMatcher;

/**
 * Which addresses receivers may have. Berth calls them from where it stands, which may reach what whoever named them cannot: so they are
 * public ones, unless an operator allows the network. Names are looked up where the connection is made, and it is made to
 * the addresses that were looked at: what a name meant before, or means to others, counts for nothing.
 */
final class Addresses {

    /** Of IPv4 whatever is not anybody's in the public Internet. */
    private static final List<IpAddressMatcher> NOT_PUBLIC = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4",
                    // of what is global of IPv6, tunnels that may lead to any of the above, and examples
                    "2001::/23",
                    "2001:db8::/32",
                    "2002::/16",
                    "3fff::/20")
            .map(IpAddressMatcher::new)
            .toList();

    private static final IpAddressMatcher GLOBAL_IPV6 = new IpAddressMatcher("2000::/3");

    private final List<IpAddressMatcher> allowed;

    /**
     * @param networks that are allowed beside public ones, such as {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one of them is no network
     */
    Addresses(List<String> networks) {
        allowed = networks.stream().map(IpAddressMatcher::new).toList();
    }

    /**
     * What a connection may be made to.
     *
     * @param isTls whether what is sent is encrypted; if not, only the networks that an operator allows will do
     * @throws UnknownHostException if there is no such host, or one of its addresses is not allowed
     */
    InetAddress[] resolve(String host, boolean isTls) throws UnknownHostException {
        var addresses = InetAddress.getAllByName(host);
        for (var address : addresses) {
            // which address it is may be no business of whoever asks
            var objection = objection(address, isTls);
            if (objection.isPresent()) {
                throw new UnknownHostException("The receiver " + objection.get());
            }
        }
        return addresses;
    }

    private Optional<String> objection(InetAddress address, boolean isTls) {
        if (isAllowed(address) || isTls && isPublic(address)) {
            return Optional.empty();
        }
        return Optional.of(
                isPublic(address)
                        ? "must be called by https, as it has a public address"
                        : "must not have an address that is not public, unless berth.webhooks.allow names its network");
    }

    private boolean isAllowed(InetAddress address) {
        return allowed.stream().anyMatch(network -> network.matches(address.getHostAddress()));
    }

    private static boolean isPublic(InetAddress address) {
        var plain = address.getHostAddress();
        boolean isGlobal = !(address instanceof Inet6Address six)
                || six.getScopeId() == 0 && six.getScopedInterface() == null && GLOBAL_IPV6.matches(plain);
        return isGlobal && NOT_PUBLIC.stream().noneMatch(network -> network.matches(plain));
    }

    /** Why no receiver can be at an address, as far as its text tells: names are looked up when they are called. */
    Optional<String> objection(URI url) {
        var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && !allowed.isEmpty())) {
            return Optional.of("must begin with https://");
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            return Optional.of("must name a host, and have neither user nor fragment");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return Optional.of("must name a port from 1 to 65535, or none");
        }
        try {
            var literal = InetAddress.ofLiteral(url.getHost().replaceAll("^\\[|]$", ""));
            return objection(literal, scheme.equals("https"));
        } catch (IllegalArgumentException e) {
            // a name
            return Optional.empty();
        }
    }
}
