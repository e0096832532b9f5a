package berth.contract;

import static berth.http.ProblemCode.ELSEWHERE;
import static berth.http.ProblemCode.FORBIDDEN;
import static berth.http.ProblemCode.INTERNAL;
import static berth.http.ProblemCode.KEY_REUSED;
import static berth.http.ProblemCode.MALFORMED;
import static berth.http.ProblemCode.NOT_ACCEPTABLE;
import static berth.http.ProblemCode.NOT_FOUND;
import static berth.http.ProblemCode.STALE_VERSION;
import static berth.http.ProblemCode.TOO_LARGE;
import static berth.http.ProblemCode.TOO_MANY_REQUESTS;
import static berth.http.ProblemCode.UNAUTHORIZED;
import static berth.http.ProblemCode.UNAVAILABLE;
import static berth.http.ProblemCode.UNSUPPORTED_MEDIA_TYPE;

import berth.accounts.Account;
import berth.accounts.Role;
import berth.booking.web.IdempotencyKeys;
import berth.http.CsvBody;
import berth.http.Patches;
import berth.http.Prefer;
import berth.http.ProblemCode;
import berth.http.Refuses;
import berth.reservation.ClusterId;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.tags.Tag;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.web.access.WebInvocationPrivilegeEvaluator;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * Completes the document's operations by rules. The rules derive operation ids, texts, parameters, headers and problems from the controller
 * methods' names, Javadoc, parameters and {@link Refuses}, from the paths, and from the service's own table of roles.
 */
final class DocumentedOperations {

    private static final String CONTROLLER = "Controller";

    /** The owner to look up in {@link Vocabulary} for a parameter that is not a path variable. */
    private static final String PARAMETER = "parameter";

    /** The placeholder that replaces every path variable when access rules are checked. */
    private static final String ANY = "x";

    private static final Pattern VARIABLE = Pattern.compile("([a-z]+)s/\\{([A-Za-z]+)}");
    /** The paths below one cluster, which may belong to another Berth. */
    private static final Pattern OF_A_CLUSTER = Pattern.compile("/clusters/\\{[a-z]+}/");

    private static final Pattern WORD_START = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    /** The descriptions of parameters that the controller method does not describe itself. */
    private static final Map<String, String> PARAMETERS = Map.<String, String>ofEntries(
            Map.entry("Account.name", "The name of the account."),
            Map.entry("Cluster.id", "The id of the cluster."),
            Map.entry("Cluster.cluster", "The id of the cluster."),
            Map.entry("Feed.feed", "The `id` of the feed, from the response that created it."),
            Map.entry("Job.job", "The `id` of the job, from the response to its submission."),
            Map.entry("Maintenance.maintenance", "The `id` of the maintenance, from the response that created it."),
            Map.entry("Outage.outage", "The `id` of the outage, from the response that recorded it."),
            Map.entry("Project.id", "The id of the project."),
            Map.entry("Member.account", "The name of the account."),
            Map.entry("Grant.grant", "The id of the grant."),
            Map.entry("Renegotiation.number", "The number of the proposal."),
            Map.entry("Reservation.id", "The `id` of the reservation, from the response that created it."),
            Map.entry("Coallocation.id", "The `id` of the co-allocation, from the response that created it."),
            Map.entry("Series.id", "The `id` of the series, from the response that created it."),
            Map.entry("Occurrence.date", "The day of the occurrence, in the series' time zone."),
            Map.entry("Webhook.id", "The `id` of the webhook, from the response that created it."),
            Map.entry("limit", "The largest number of items to return. The default is 100."),
            Map.entry("after", "The `next` of the previous page. Leave it out to get the first page."),
            Map.entry(
                    HttpHeaders.IF_MATCH,
                    "The `ETag` of an earlier response, or its `version` in quotes. If the resource has changed since, the request is rejected."
                            + " Without this header, the change is made in any case."),
            Map.entry(
                    "Last-Event-ID",
                    "The id of the last event that the client received. It takes precedence over `after`."),
            Map.entry(
                    Prefer.HEADER,
                    "`wait=10` waits for up to 10 seconds (RFC 7240): for the decision on a collected request, or for the"
                            + " first event. The maximum is 30 seconds."),
            Map.entry(
                    IdempotencyKeys.HEADER,
                    "A key that the account chooses, valid for 24 hours. Berth carries out a request once and returns the"
                            + " first result if the same request comes again with the same key. Rejections are not kept."));

    private final RequestMappingHandlerMapping handlers;
    private final WebInvocationPrivilegeEvaluator access;
    private final DocumentedSchemas schemas;

    DocumentedOperations(
            RequestMappingHandlerMapping handlers, WebInvocationPrivilegeEvaluator access, DocumentedSchemas schemas) {
        this.handlers = handlers;
        this.access = access;
        this.schemas = schemas;
    }

    private record Call(String path, HttpMethod method, HandlerMethod handler, Operation operation) {

        boolean takes(String name) {
            return parameters().stream()
                    .anyMatch(parameter -> parameter.getName().equals(name));
        }

        boolean hasBody() {
            return operation.getRequestBody() != null;
        }

        List<Parameter> parameters() {
            return operation.getParameters() == null ? List.of() : operation.getParameters();
        }
    }

    void complete(OpenAPI document) {
        var problems = new DocumentedProblems(document);
        var tags = new TreeSet<>(Comparator.comparing(Tag::getName));
        document.getPaths()
                .forEach((path, item) -> item.readOperationsMap().forEach((method, operation) -> {
                    var call = new Call(path, method, handler(path, method), operation);
                    var tag = tag(call.handler().getBeanType());
                    operation.setTags(List.of(tag.getName()));
                    tags.add(tag);
                    complete(call, problems);
                }));
        document.setTags(List.copyOf(tags));
    }

    private HandlerMethod handler(String path, HttpMethod method) {
        var requestMethod = RequestMethod.valueOf(method.name());
        return handlers.getHandlerMethods().entrySet().stream()
                .filter(entry -> entry.getKey().getPatternValues().contains(path)
                        && entry.getKey().getMethodsCondition().getMethods().contains(requestMethod))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the tag of a controller. Unless it names one, the operations of {@code ClusterReadingsController} are tagged "Cluster readings". */
    private static Tag tag(Class<?> controller) {
        var description = Prose.of(controller).text();
        var named = controller.getAnnotation(io.swagger.v3.oas.annotations.tags.Tag.class);
        if (named != null) {
            return new Tag().name(named.name()).description(description);
        }
        var name = controller.getSimpleName();
        var words = WORD_START.split(name.substring(0, name.length() - CONTROLLER.length()));
        var further = Arrays.stream(words).skip(1).map(word -> " " + word.toLowerCase(Locale.ROOT));
        return new Tag().name(words[0] + further.collect(Collectors.joining())).description(description);
    }

    private void complete(Call call, DocumentedProblems problems) {
        var method = call.handler().getMethod();
        var prose = Prose.of(method);
        var roles = roles(call);
        boolean isOfOneCluster = roles.contains(Role.AGENT) && !isOpen(call, agentOf("another"));
        var operation = call.operation();
        operation.setOperationId(method.getName());
        operation.setSummary(prose.firstSentence());
        var freshness = Freshness.of(
                call.method(), call.path(), method.getName(), call.handler().getBeanType());
        operation.setDescription(Stream.of(
                        prose.furtherSentences(),
                        freshness.orElse(""),
                        isOpen(call) ? "Open without a token." : openTo(roles, isOfOneCluster))
                .filter(paragraph -> !paragraph.isBlank())
                .collect(Collectors.joining("\n\n")));
        call.parameters().forEach(parameter -> complete(parameter, call));
        if (call.takes(Prefer.HEADER) && call.method() == HttpMethod.POST) {
            addCollected(operation);
        }
        if (call.handler().getReturnType().getParameterType() == ResponseEntity.class) {
            switch (method.getName()) {
                case "reserve" -> {
                    setContent(operation, "201", "Reservation");
                    setContent(operation, "202", "Reservation");
                    operation.getResponses().forEach(DocumentedOperations::addHeaders);
                    // as a range, because generators take the type of a call from its lowest status
                    addTried(operation, "2XX", "200, a dry run: nothing has changed.", content("DryRun"));
                }
                case "recordOutage" ->
                    addTried(
                            operation,
                            "200",
                            "A dry run: nothing has changed.",
                            Objects.requireNonNull(operation.getResponses().get("201"))
                                    .getContent());
                case "readSchedule" -> addSchedule(operation);
                case "listEvents" -> addWaited(operation);
                case "readFeed", "readOutages" -> addCalendar(operation);
                default -> operation.getResponses().forEach(DocumentedOperations::addHeaders);
            }
        }
        if (call.path().endsWith("/session")) {
            addCookie(operation);
        }
        if (call.path().endsWith("/stream")) {
            addStream(operation);
        }
        if (call.path().endsWith(".csv")) {
            addFile(operation);
        }
        if (CsvBody.class.isAssignableFrom(call.handler().getReturnType().getParameterType())) {
            addTable(operation);
        }
        patched(call.handler())
                .map(schemas::patchOf)
                .ifPresent(patch ->
                        operation.getRequestBody().getContent().values().forEach(content -> content.setSchema(patch)));
        problems.add(operation, codes(call, roles.size() < Role.values().length || isOfOneCluster));
    }

    private static void complete(Parameter parameter, Call call) {
        var name = parameter.getName();
        var owner = VARIABLE.matcher(call.path())
                .results()
                .filter(variable -> variable.group(2).equals(name))
                .map(DocumentedOperations::singular)
                .findFirst()
                .orElse(PARAMETER);
        Vocabulary.find(call.handler().getMethod().getName(), owner, name).ifPresent(word -> {
            var schema = new JsonSchema();
            word.accept(schema);
            parameter.setSchema(schema);
        });
        var described = Prose.ofParameters(call.handler().getMethod()).get(name);
        parameter.setDescription(
                described == null
                        ? PARAMETERS.getOrDefault(owner + "." + name, PARAMETERS.get(name))
                        : described.asSentence());
    }

    /** Returns the name of one item of the collection: {@code Cluster} for {@code clusters/{id}}. */
    private static String singular(MatchResult variable) {
        if (variable.group(1).equals("serie")) {
            return "Series"; // "series" has no singular
        }
        var collection = variable.group(1);
        return Character.toUpperCase(collection.charAt(0)) + collection.substring(1);
    }

    /**
     * Adds the response headers of a single resource, which controllers return as a {@link ResponseEntity}: its version, and for a new
     * resource its location.
     */
    private static void addHeaders(String status, ApiResponse response) {
        response.addHeaderObject(
                HttpHeaders.ETAG,
                new Header()
                        .description(
                                "The version of the returned resource, for `If-Match`, and a digest of what a reading returns. A dry run has none.")
                        .schema(new JsonSchema().types(Set.of("string")).examples(List.of("\"3\""))));
        if (status.equals("201") || status.equals("202")) {
            response.addHeaderObject(
                    HttpHeaders.LOCATION,
                    new Header()
                            .description("The URL at which the resource can be read.")
                            .schema(new JsonSchema().types(Set.of("string")).format("uri-reference")));
        }
    }

    /** Declares the header by which the browser keeps or forgets a session. */
    private static void addCookie(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("204"))
                .addHeaderObject(
                        HttpHeaders.SET_COOKIE,
                        new Header()
                                .description("The cookie `berth-session`.")
                                .schema(
                                        new JsonSchema()
                                                .types(Set.of("string"))
                                                .examples(
                                                        List.of(
                                                                "berth-session=sealed:…; Path=/api/v1; Max-Age=604800; Secure; HttpOnly; SameSite=Strict"))));
    }

    /** Declares an event stream, which the controller writes itself instead of returning a typed body. */
    private static void addStream(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content()
                        .addMediaType(
                                "text/event-stream", new MediaType().schema(new JsonSchema().types(Set.of("string")))));
    }

    /** Declares the response to a dry run, which creates nothing. */
    private static void addTried(Operation operation, String status, String description, Content content) {
        operation
                .getResponses()
                .addApiResponse(
                        status, new ApiResponse().description(description).content(content));
    }

    private static void setContent(Operation operation, String status, String schema) {
        Objects.requireNonNull(operation.getResponses().get(status)).setContent(content(schema));
    }

    private static Content content(String schema) {
        return new Content().addMediaType("application/json", new MediaType().schema(new JsonSchema().$ref(schema)));
    }

    /** Declares the header by which Berth confirms the client's preference to wait. */
    private static void addWaited(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .addHeaderObject(
                        "Preference-Applied",
                        new Header()
                                .description("The waiting time that Berth accepted.")
                                .schema(new JsonSchema().types(Set.of("string")).examples(List.of("wait=30"))));
    }

    private static void addSchedule(Operation operation) {
        addUnchanged(
                operation, "The state of the returned schedule, for `If-None-Match` and for `since`.", "W/\"17-0\"");
    }

    /** Declares an entity tag, and the response 304 for clients that already have the current content. */
    private static void addUnchanged(Operation operation, String description, String example) {
        var tag = new Header()
                .description(description)
                .schema(new JsonSchema().types(Set.of("string")).examples(List.of(example)));
        Objects.requireNonNull(operation.getResponses().get("200")).addHeaderObject(HttpHeaders.ETAG, tag);
        operation
                .getResponses()
                .addApiResponse(
                        "304",
                        new ApiResponse()
                                .description("The client already has the current content.")
                                .addHeaderObject(HttpHeaders.ETAG, tag));
    }

    private static void addCalendar(Operation operation) {
        addUnchanged(
                operation,
                "The version of the returned calendar, for `If-None-Match`.",
                "W/\"5f0c1c2a9d3e4b6f8a7b6c5d4e3f2a1b-1801353600\"");
        var text = new MediaType().schema(new JsonSchema().types(Set.of("string")));
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content().addMediaType("text/calendar", text));
    }

    private static void addFile(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content()
                        .addMediaType("text/csv", new MediaType().schema(new JsonSchema().types(Set.of("string")))));
    }

    /** Declares that the response is also served as a file. */
    private static void addTable(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .getContent()
                .addMediaType("text/csv", new MediaType().schema(new JsonSchema().types(Set.of("string"))));
    }

    /** Declares the response 202 of a request that is decided later. */
    private static void addCollected(Operation operation) {
        var created = Objects.requireNonNull(operation.getResponses().get("201"));
        operation
                .getResponses()
                .addApiResponse(
                        "202",
                        new ApiResponse()
                                .description("Collected: the request is decided in its round.")
                                .content(created.getContent()));
    }

    /** Returns the record that the operation's request body patches. */
    private static Optional<Class<? extends Record>> patched(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters())
                .flatMap(parameter -> Optional.ofNullable(parameter.getParameterAnnotation(Patches.class)).stream())
                .<Class<? extends Record>>map(Patches::value)
                .findAny();
    }

    /** Returns the roles that may use the call, by the service's own table of roles. */
    private Set<Role> roles(Call call) {
        return Arrays.stream(Role.values())
                .filter(role -> isOpen(call, role == Role.AGENT ? agentOf(ANY) : account(role, Optional.empty())))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Role.class)));
    }

    private boolean isOpen(Call call, Account account) {
        var uri = VARIABLE.matcher(call.path()).replaceAll("$1s/" + ANY);
        return access.isAllowed(
                "",
                uri,
                call.method().name(),
                UsernamePasswordAuthenticationToken.authenticated(account, "", account.getAuthorities()));
    }

    private static Account agentOf(String cluster) {
        return account(Role.AGENT, Optional.of(new ClusterId(cluster)));
    }

    private static Account account(Role role, Optional<ClusterId> cluster) {
        return new Account(
                new AccountName("somebody"),
                role,
                cluster,
                Account.STANDARD_PRIORITY,
                ServiceClass.STANDARD,
                AccountLimits.NONE,
                Set.of(),
                Optional.empty(),
                Optional.empty(),
                0);
    }

    /** Checks whether the call needs no token. */
    private boolean isOpen(Call call) {
        var anonymous =
                new AnonymousAuthenticationToken("nobody", "nobody", AuthorityUtils.createAuthorityList("ROLE_NOBODY"));
        return access.isAllowed("", call.path(), call.method().name(), anonymous);
    }

    private static String openTo(Set<Role> roles, boolean isOfOneCluster) {
        var accounts = roles.size() == Role.values().length
                ? "Open to every account"
                : "Open to accounts of the role "
                        + roles.stream().map(Role::name).collect(Collectors.joining(" or "));
        return accounts + (isOfOneCluster ? ". An AGENT may use it only for its own cluster." : ".");
    }

    private static Set<ProblemCode> codes(Call call, boolean isClosedToSome) {
        // problems that any call can return
        var codes = EnumSet.of(MALFORMED, UNAUTHORIZED, NOT_ACCEPTABLE, TOO_MANY_REQUESTS, INTERNAL, UNAVAILABLE);
        addIf(isClosedToSome, FORBIDDEN, codes);
        addIf(call.path().contains("{"), NOT_FOUND, codes);
        addIf(OF_A_CLUSTER.matcher(call.path()).find(), ELSEWHERE, codes);
        addIf(call.method() != HttpMethod.GET, TOO_LARGE, codes);
        addIf(call.hasBody(), UNSUPPORTED_MEDIA_TYPE, codes);
        addIf(call.takes(HttpHeaders.IF_MATCH), STALE_VERSION, codes);
        addIf(call.takes(IdempotencyKeys.HEADER), KEY_REUSED, codes);
        var own = call.handler().getMethodAnnotation(Refuses.class);
        if (own != null) {
            codes.addAll(List.of(own.value()));
        }
        return codes;
    }

    private static void addIf(boolean holds, ProblemCode code, Set<ProblemCode> codes) {
        if (holds) {
            codes.add(code);
        }
    }
}
