package berth.http;

import berth.accounts.Accounts;
import berth.http.Problem.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Converts between versions of a resource and entity tags (RFC 9110, section 8.8.3). A tag has the version of the resource, which rises with
 * each change, and a digest of the response. So two different responses never have the same tag, even if they differ only in what Berth
 * derives from the time, the cluster or other reservations.
 */
public final class EntityTag {

    private static final Pattern TAG =
            Pattern.compile("[ \\t,]*+(W/)?+\"([!#-~\\x80-\\xff]*+)\"[ \\t]*+(,[ \\t,]*+|$)");
    private static final int DIGITS = 16;
    private static final Pattern VERSION = Pattern.compile("(0|[1-9][0-9]{0,8})(-[0-9a-f]{%d})?".formatted(DIGITS));

    private EntityTag() {}

    /**
     * Returns the tag of a resource.
     *
     * @param body what a reading of the resource returns in this version
     */
    public static String of(int version, Object body) {
        return "\"%d-%s\"".formatted(version, digest(body));
    }

    /** Returns 16 hexadecimal digits, which differ between different bodies. */
    public static String digest(Object body) {
        return Accounts.hash(BodyWriter.json(body)).substring(0, DIGITS);
    }

    /** The versions that a change expects the resource to have. */
    public sealed interface Expected {

        boolean includes(int version);

        /** Any version. */
        record Any() implements Expected {
            @Override
            public boolean includes(int version) {
                return true;
            }
        }

        /** One of these versions. The set is empty if no entity tag that the client sent names a version. */
        record OneOf(Set<Integer> versions) implements Expected {
            @Override
            public boolean includes(int version) {
                return versions.contains(version);
            }
        }
    }

    /**
     * Reads the header {@code If-Match} (RFC 9110, section 13.1.1). Tags that this service never makes match no version. Unlike in the RFC,
     * only the version counts, and it may stand alone: the digest also depends on what is no change to the resource, such as the time at
     * which an agent last reported. A weak tag matches as its strong one does: a proxy that compresses a response makes its tag weak, and it
     * still names the version.
     *
     * @throws Problem if the header is not a list of entity tags
     */
    public static Expected expected(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return new Expected.Any();
        }
        var versions = new HashSet<Integer>();
        var tag = TAG.matcher(ifMatch);
        int read = 0;
        while (read < ifMatch.length() && tag.region(read, ifMatch.length()).lookingAt()) {
            var version = VERSION.matcher(tag.group(2));
            if (version.matches()) {
                versions.add(Integer.valueOf(version.group(1)));
            }
            read = tag.end();
        }
        if (read == 0 || read < ifMatch.length()) {
            throw new Problem(
                    ProblemCode.MALFORMED,
                    "Send the ETag of an earlier response as If-Match, including its quotes, or leave the header out.",
                    List.of(new FieldError(
                            HttpHeaders.IF_MATCH, Texts.shown(ifMatch), "must be entity tags such as \"7\", or *")));
        }
        return new Expected.OneOf(Set.copyOf(versions));
    }

    /** Returns the problem for a change to a resource whose version, {@code version}, is not one of the expected ones. */
    public static Problem stale(int version) {
        return new Problem(
                ProblemCode.STALE_VERSION,
                "The resource has changed since you read it. Read it again, then decide whether to change it.",
                List.of(new FieldError(HttpHeaders.IF_MATCH, null, "is now version %d".formatted(version))));
    }
}
