package berth.rest;

import berth.rest.Problem.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** Converts between versions of a resource and entity tags (RFC 9110, section 8.8.3). */
final class EntityTag {

    private static final Pattern TAG =
            Pattern.compile("[ \\t,]*+(W/)?+\"([!#-~\\x80-\\xff]*+)\"[ \\t]*+(,[ \\t,]*+|$)");
    private static final Pattern VERSION = Pattern.compile("0|[1-9][0-9]{0,8}");

    private EntityTag() {}

    static String of(int version) {
        return "\"%d\"".formatted(version);
    }

    /** The versions that a change expects the resource to have. */
    sealed interface Expected {

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
     * Reads the header {@code If-Match} (RFC 9110, section 13.1.1). Tags that this service never makes match no version. A weak tag matches as
     * its strong one does, unlike in the RFC: a proxy that compresses a response makes its tag weak, and it still names the version.
     *
     * @throws Problem if the header is not a list of entity tags
     */
    static Expected expected(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return new Expected.Any();
        }
        var versions = new HashSet<Integer>();
        var tag = TAG.matcher(ifMatch);
        int read = 0;
        while (read < ifMatch.length() && tag.region(read, ifMatch.length()).lookingAt()) {
            if (VERSION.matcher(tag.group(2)).matches()) {
                versions.add(Integer.valueOf(tag.group(2)));
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
    static Problem stale(int version) {
        return new Problem(
                ProblemCode.STALE_VERSION,
                "The resource has changed since you read it. Read it again, then decide whether to change it.",
                List.of(new FieldError(HttpHeaders.IF_MATCH, null, "is now %s".formatted(of(version)))));
    }
}
