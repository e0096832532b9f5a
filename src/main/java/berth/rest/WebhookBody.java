package berth.rest;

import berth.scheduling.Event;
import berth.webhook.Webhook;
import berth.webhook.Webhook.Wish;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is told, and where.
 *
 * @param url of the receiver, with https; http where an operator of this Berth allows its network
 * @param types of events, as the feed names them; all, if left out
 * @param leads how long ahead starts and ends are announced, a minute to thirty days each; none, if left out
 * @param format how much a message tells; FULL, if left out
 * @param project only of what is filed under it: by anybody, if the account is a member; whatever the account hears of, if left out
 * @param enabled whether anything is delivered; true, if left out
 */
record WebhookBody(
        @Required @Nullable String url,
        @Nullable List<@Nullable String> types,
        @Nullable List<@Nullable String> leads,
        Webhook.@Nullable MessageFormat format,
        @Nullable String project,
        @Nullable Boolean enabled) {

    private static final int MAX_URL = 1000;

    static WebhookBody of(Webhook webhook) {
        var wish = webhook.wish();
        return new WebhookBody(
                wish.url().toString(),
                types(wish),
                leads(wish),
                wish.format(),
                Texts.orNull(wish.project()),
                webhook.isEnabled());
    }

    static List<@Nullable String> types(Wish wish) {
        return wish.types().stream()
                .sorted()
                .<@Nullable String>map(EventBody::word)
                .toList();
    }

    static List<@Nullable String> leads(Wish wish) {
        return Texts.durations(wish.leads());
    }

    boolean isEnabled() {
        return enabled == null || enabled;
    }

    /**
     * What is wanted.
     *
     * @param objection why no receiver can be at an address
     * @throws Problem naming every field that is wrong
     */
    Wish toWish(Function<URI, Optional<String>> objection) {
        var fields = new Fields(this);
        var address = address(fields.required("url", url, ""), fields, objection);
        var wanted = types(fields);
        var ahead = fields.leads("leads", leads);
        var filed = fields.label("project", project);
        if (filed.isPresent() && !ahead.isEmpty()) {
            fields.invalid(
                    "leads", leads, "are told of what is the account's own; leave them out where a project is told of");
        }
        fields.check();
        return new Wish(address, wanted, ahead, format == null ? Webhook.MessageFormat.FULL : format, filed);
    }

    private URI address(String text, Fields fields, Function<URI, Optional<String>> objection) {
        try {
            if (text.length() <= MAX_URL) {
                var address = new URI(text);
                if (!text.isEmpty()) {
                    objection.apply(address).ifPresent(why -> fields.invalid("url", text, why));
                }
                return address;
            }
        } catch (URISyntaxException e) {
            // said below
        }
        fields.malformed(
                "url",
                text,
                "must be a URL of at most %d characters, such as https://example.org/berth".formatted(MAX_URL));
        return URI.create("");
    }

    private Set<Event.Type> types(Fields fields) {
        var known = Arrays.stream(Event.Type.values()).collect(Collectors.toMap(EventBody::word, type -> type));
        var wanted = new HashSet<Event.Type>();
        var given = types == null ? List.<@Nullable String>of() : types;
        for (int i = 0; i < given.size() && !fields.hasErrors(); i++) {
            var type = known.get(String.valueOf(given.get(i)));
            if (type == null) {
                fields.malformed(
                        "types[%d]".formatted(i),
                        given.get(i),
                        "must be a type of event, such as confirmed or starting");
            } else {
                wanted.add(type);
            }
        }
        return wanted;
    }
}
