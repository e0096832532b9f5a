package berth.webhooks.web;

import berth.events.EventBody;
import berth.http.Fields;
import berth.http.Problem;
import berth.http.Required;
import berth.http.Texts;
import berth.scheduling.Event;
import berth.webhooks.Webhook;
import berth.webhooks.Webhook.Wish;
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
 * A webhook to create or to change: which events Berth sends, and where.
 *
 * @param url the URL of the receiver, with https; with http only if an operator of this Berth allows its network
 * @param types the types of events to send, as in the list of events; all, if left out
 * @param leads how long ahead Berth announces starts and ends, each between a minute and thirty days; no announcements, if left out
 * @param format how much a message contains; FULL, if left out
 * @param project the only project whose events to send. A member of the project gets the events of all its reservations, other accounts
 *     only those of their own. If left out, Berth sends all events that the account may read
 * @param enabled whether Berth sends messages; true, if left out
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
     * Reads the webhook.
     *
     * @param objection returns why no receiver can have an address; empty if one can
     * @throws Problem naming every field that is wrong
     */
    Wish toWish(Function<URI, Optional<String>> objection) {
        var fields = new Fields(this);
        var given = fields.required("url", url, "");
        var address = url == null ? URI.create("") : address(given, fields, objection);
        var chosen = types(fields);
        var ahead = fields.leads("leads", leads);
        var filed = fields.label("project", project);
        if (filed.isPresent() && !ahead.isEmpty()) {
            fields.invalid(
                    "leads", leads, "announce only the account's own reservations; leave them out if project is given");
        }
        fields.check();
        return new Wish(address, chosen, ahead, format == null ? Webhook.MessageFormat.FULL : format, filed);
    }

    private URI address(String text, Fields fields, Function<URI, Optional<String>> objection) {
        try {
            if (text.length() <= MAX_URL) {
                var address = new URI(text);
                objection.apply(address).ifPresent(why -> fields.invalid("url", text, why));
                return address;
            }
        } catch (URISyntaxException e) {
            // reported below
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
