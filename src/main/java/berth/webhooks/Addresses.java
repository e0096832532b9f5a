package berth.webhooks;

import java.net.IDN;
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
 * The addresses to which Berth may send messages. Berth calls receivers from its own network, which may reach hosts that the person who
 * entered the URL cannot. Addresses must therefore be public unless an operator allows their network. A name is resolved when the
 * connection is made, and the connection uses the addresses that were checked, so other resolutions of the name do not matter.
 */
final class Addresses {

    /** All IPv4 networks that are not public. */
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
                    // of the global IPv6 addresses: tunnels that may lead to any of the above, and examples
                    "2001::/23",
                    "2001:db8::/32",
                    "2002::/16",
                    "3fff::/20")
            .map(IpAddressMatcher::new)
            .toList();

    private static final IpAddressMatcher GLOBAL_IPV6 = new IpAddressMatcher("2000::/3");

    private final List<IpAddressMatcher> allowed;

    /**
     * Creates the rules.
     *
     * @param networks the networks allowed besides public ones, such as {@code 10.0.0.0/8}
     * @throws IllegalArgumentException if one of them is not a network
     */
    Addresses(List<String> networks) {
        allowed = networks.stream().map(IpAddressMatcher::new).toList();
    }

    /**
     * Returns the addresses of a host.
     *
     * @param isTls whether the connection is encrypted; if not, only networks that the operator allows are possible
     * @throws UnknownHostException if the host does not exist or one of its addresses is forbidden
     */
    InetAddress[] resolve(String host, boolean isTls) throws UnknownHostException {
        var addresses = addresses(host);
        for (var address : addresses) {
            if (!isAllowed(address) && !isPublic(address)) {
                throw unknown();
            }
            if (objection(address, isTls).isPresent()) {
                throw new UnknownHostException("The receiver must be called by https, because it has a public address");
            }
        }
        return addresses;
    }

    private static InetAddress[] addresses(String host) throws UnknownHostException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw unknown();
        }
    }

    /** Returns one reason for names without addresses and with forbidden ones, so that webhooks do not tell which names exist inside. */
    private static UnknownHostException unknown() {
        return new UnknownHostException(
                "The receiver's name has no address, or one that is not public and in no network of berth.webhooks.allow");
    }

    private Optional<String> objection(InetAddress address, boolean isTls) {
        if (isAllowed(address) || isTls && isPublic(address)) {
            return Optional.empty();
        }
        return Optional.of(
                isPublic(address)
                        ? "must be called by https, because it has a public address"
                        : "must have a public address, unless berth.webhooks.allow names its network");
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

    /** Returns a hint at how to write an internationalised name; empty if there is no such form. */
    private static String ascii(String authority) {
        try {
            return ", such as " + IDN.toASCII(authority.replaceAll(":\\d*$", ""), IDN.USE_STD3_ASCII_RULES);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    /** Returns why a URL cannot be that of a receiver, as far as its text shows; names are resolved only for a call. */
    Optional<String> objection(URI url) {
        var scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") && !(scheme.equals("http") && !allowed.isEmpty())) {
            return Optional.of("must begin with https://");
        }
        var authority = String.valueOf(url.getRawAuthority());
        if (url.getHost() == null && !authority.chars().allMatch(letter -> letter < 128)) {
            return Optional.of("must name its host in ASCII" + ascii(authority));
        }
        if (url.getHost() == null || url.getRawUserInfo() != null || url.getRawFragment() != null) {
            return Optional.of("must name a host, without a user or a fragment");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return Optional.of("must name a port from 1 to 65535, or no port");
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
