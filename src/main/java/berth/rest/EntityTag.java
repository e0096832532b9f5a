package berth.rest;

import berth.rest.Problem.FieldError;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/** The version of a resource as HTTP writes it (RFC 9110, section 8.8.3), and the versions that a change may meet. */
final class EntityTag {

    private static final Pattern TAG =
            Pattern.compile("[ \\t,]*+(W/)?+\"([!#-~\\x80-\\xff]*+)\"[ \\t]*+(,[ \\t,]*+|$)");
    private static final Pattern VERSION = Pattern.compile("0|[1-9][0-9]{0,8}");

    private EntityTag() {}

    static String of(int version) {
        return "\"%d\"".formatted(version);
    }

    /** The versions of a resource that a change may meet. */
    sealed interface Expected {

        boolean includes(int version);

        /** Whatever it is. */
        record Any() implements Expected {
            @Override
            public boolean includes(int version) {
                return true;
            }
        }

        /** One of these; of none, if the client named only what no version of ours is called. */
        record OneOf(Set<Integer> versions) implements Expected {
            @Override
            public boolean includes(int version) {
                return versions.contains(version);
            }
        }
    }

    /**
     * Reads the header {@code If-Match} (RFC 9110, section 13.1.1). Weak tags and those of others match no version.
     *
     * @throws Problem if it is no list of entity tags
     */
    static Expected expected(@Nullable String ifMatch) {
        if (ifMatch == null || ifMatch.strip().equals("*")) {
            return new Expected.Any();
        }
        var versions = new HashSet<Integer>();
        var tag = TAG.matcher(ifMatch);
        int read = 0;
        while (read < ifMatch.length() && tag.region(read, ifMatch.length()).lookingAt()) {
            if (tag.group(1) == null && VERSION.matcher(tag.group(2)).matches()) {
                versions.add(Integer.valueOf(tag.group(2)));
            }
            read = tag.end();
        }
        if (read == 0 || read < ifMatch.length()) {
            throw new Problem(
                    ProblemCode.MALFORMED,
                    "Send the ETag of an earlier answer as If-Match, with its quotes, or leave it out.",
                    List.of(new FieldError(
                            HttpHeaders.IF_MATCH, Texts.shown(ifMatch), "must be entity tags such as \"7\", or *")));
        }
        return new Expected.OneOf(Set.copyOf(versions));
    }

    /** What was to be changed is in none of the versions that were expected. */
    static Problem stale(int version) {
        return new Problem(
                ProblemCode.STALE_VERSION,
                "It has changed since it was read; read it again, and then decide whether to change it.",
                List.of(new FieldError(HttpHeaders.IF_MATCH, null, "it is %s now".formatted(of(version)))));
    }
}
