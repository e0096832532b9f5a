package berth.rest.document;

import static berth.rest.ProblemCode.ELSEWHERE;
import static berth.rest.ProblemCode.FORBIDDEN;
import static berth.rest.ProblemCode.INTERNAL;
import static berth.rest.ProblemCode.KEY_REUSED;
import static berth.rest.ProblemCode.MALFORMED;
import static berth.rest.ProblemCode.NOT_ACCEPTABLE;
import static berth.rest.ProblemCode.NOT_FOUND;
import static berth.rest.ProblemCode.STALE_VERSION;
import static berth.rest.ProblemCode.TOO_LARGE;
import static berth.rest.ProblemCode.TOO_MANY_REQUESTS;
import static berth.rest.ProblemCode.UNAUTHORIZED;
import static berth.rest.ProblemCode.UNAVAILABLE;
import static berth.rest.ProblemCode.UNSUPPORTED_MEDIA_TYPE;

import berth.reservation.ClusterId;
import berth.rest.IdempotencyKeys;
import berth.rest.Patches;
import berth.rest.Prefer;
import berth.rest.ProblemCode;
import berth.rest.Refuses;
import berth.security.Account;
import berth.security.Role;
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
 * Completes the document's operations by rules: their ids, texts, parameters, headers and problems follow from the
 * controller methods' names, Javadoc, parameters and {@link Refuses}, from their paths, and from the service's own table of
 * roles.
 */
final class DocumentedOperations {

    private static final String CONTROLLER = "Controller";

    /** The owner of what is no path variable, to {@link Vocabulary}. */
    private static final String PARAMETER = "parameter";

    /** What stands for the name of each thing in a path. */
    private static final String ANY = "x";

    private static final Pattern VARIABLE = Pattern.compile("([a-z]+)s/\\{([A-Za-z]+)}");
    /** What is beneath a cluster, which may be one of another Berth. */
    private static final Pattern OF_A_CLUSTER = Pattern.compile("/clusters/\\{[a-z]+}/");

    private static final Pattern WORD_START = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    /** What parameters mean, where a method does not say it itself. */
    private static final Map<String, String> PARAMETERS = Map.ofEntries(
            Map.entry("Account.name", "The name of the account."),
            Map.entry("Cluster.id", "The id of the cluster."),
            Map.entry("Cluster.cluster", "The id of the cluster."),
            Map.entry("Feed.feed", "The id that the feed was answered with."),
            Map.entry("Job.job", "The id that the job was answered with."),
            Map.entry("Maintenance.maintenance", "The id that the maintenance was answered with."),
            Map.entry("Outage.outage", "The id that the outage was answered with."),
            Map.entry("Project.id", "The id of the project."),
            Map.entry("Member.account", "The name of the account."),
            Map.entry("Grant.grant", "The id of the grant."),
            Map.entry("Renegotiation.number", "The number of the proposal."),
            Map.entry("Reservation.id", "The id that the reservation was answered with."),
            Map.entry("Coallocation.id", "The id that the co-allocation was answered with."),
            Map.entry("Series.id", "The id that the series was answered with."),
            Map.entry("Occurrence.date", "The day of the occurrence, in the series' time zone."),
            Map.entry("Webhook.id", "The id that the webhook was answered with."),
            Map.entry("limit", "The most items to answer; 100, if left out."),
            Map.entry("after", "The `next` of the answer before, to go on from there; left out to begin."),
            Map.entry(
                    HttpHeaders.IF_MATCH,
                    "The `ETag` of an earlier answer: what has changed since is not changed again. Left out, it does not"
                            + " matter what has changed."),
            Map.entry("Last-Event-ID", "The id of the last event that was heard; counts instead of `after`."),
            Map.entry(
                    Prefer.HEADER,
                    "`wait=10` waits for so many seconds, 30 at the most (RFC 7240): for what becomes of a request that is"
                            + " collected, or for the first event."),
            Map.entry(
                    IdempotencyKeys.HEADER,
                    "Belongs to the account and counts for 24 hours: the same request under the same key is done once,"
                            + " and answered with its first result again. Refusals are not kept."));

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

    /** A {@code ClusterReadingsController} has the calls called "Cluster readings". */
    private static Tag tag(Class<?> controller) {
        var name = controller.getSimpleName();
        var words = WORD_START.split(name.substring(0, name.length() - CONTROLLER.length()));
        var further = Arrays.stream(words).skip(1).map(word -> " " + word.toLowerCase(Locale.ROOT));
        return new Tag()
                .name(words[0] + further.collect(Collectors.joining()))
                .description(Prose.of(controller).text());
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
                        isOpen(call) ? "Open to everybody." : openTo(roles, isOfOneCluster))
                .filter(paragraph -> !paragraph.isBlank())
                .collect(Collectors.joining("\n\n")));
        call.parameters().forEach(parameter -> complete(parameter, call));
        if (call.takes(Prefer.HEADER) && call.method() == HttpMethod.POST) {
            addCollected(operation);
        }
        if (call.handler().getReturnType().getParameterType() == ResponseEntity.class) {
            switch (method.getName()) {
                case "recordOutage" -> addTried(operation);
                case "readSchedule" -> addSchedule(operation);
                case "listEvents" -> addWaited(operation);
                case "readFeed", "readOutages" -> addCalendar(operation);
                default -> operation.getResponses().forEach(DocumentedOperations::addHeaders);
            }
        }
        if (call.path().endsWith("/stream")) {
            addStream(operation);
        }
        if (call.path().endsWith(".csv")) {
            addFile(operation);
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
        var said = Prose.ofParameters(call.handler().getMethod()).get(name);
        parameter.setDescription(
                said == null ? PARAMETERS.getOrDefault(owner + "." + name, PARAMETERS.get(name)) : said.asSentence());
    }

    /** Of {@code clusters/{id}} it is {@code Cluster}. */
    private static String singular(MatchResult variable) {
        if (variable.group(1).equals("serie")) {
            return "Series"; // has no singular of its own
        }
        var collection = variable.group(1);
        return Character.toUpperCase(collection.charAt(0)) + collection.substring(1);
    }

    /** Answers that are a response entity are single resources: with their version, and where they are if they are new. */
    private static void addHeaders(String status, ApiResponse response) {
        response.addHeaderObject(
                HttpHeaders.ETAG,
                new Header()
                        .description("The version of what is answered, for `If-Match`. A dry run has none.")
                        .schema(new JsonSchema().types(Set.of("string")).examples(List.of("\"3\""))));
        if (status.equals("201") || status.equals("202")) {
            response.addHeaderObject(
                    HttpHeaders.LOCATION,
                    new Header()
                            .description("Where it can be read from now on.")
                            .schema(new JsonSchema().types(Set.of("string")).format("uri-reference")));
        }
    }

    /** It is written as it comes, by no body of a type. */
    private static void addStream(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content()
                        .addMediaType(
                                "text/event-stream", new MediaType().schema(new JsonSchema().types(Set.of("string")))));
    }

    /** What is only tried is not created. */
    private static void addTried(Operation operation) {
        var created = Objects.requireNonNull(operation.getResponses().get("201"));
        operation
                .getResponses()
                .addApiResponse(
                        "200",
                        new ApiResponse()
                                .description("A dry run: nothing has changed.")
                                .content(created.getContent()));
    }

    /** What the client has already is not told again. */
    private static void addWaited(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .addHeaderObject(
                        "Preference-Applied",
                        new Header()
                                .description("For how long the answer would have waited.")
                                .schema(new JsonSchema().types(Set.of("string")).examples(List.of("wait=30"))));
    }

    private static void addSchedule(Operation operation) {
        addUnchanged(
                operation,
                "The state of the schedule that is answered, for `If-None-Match` and for `since`.",
                "W/\"17-0\"");
    }

    /** A client that has what it would be answered is told so. */
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
                                .description("As the client has it already.")
                                .addHeaderObject(HttpHeaders.ETAG, tag));
    }

    private static void addCalendar(Operation operation) {
        addUnchanged(
                operation, "What is told, for `If-None-Match`.", "W/\"5f0c1c2a9d3e4b6f8a7b6c5d4e3f2a1b-1801353600\"");
        var text = new MediaType().schema(new JsonSchema().types(Set.of("string")));
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content().addMediaType("text/calendar", text));
    }

    private static void addFile(Operation operation) {
        Objects.requireNonNull(operation.getResponses().get("200"))
                .setContent(new Content()
                        .addMediaType("text/csv", new MediaType().schema(new JsonSchema().types(Set.of("string")))));
    }

    /** What may take its time is answered with what is known so far. */
    private static void addCollected(Operation operation) {
        var created = Objects.requireNonNull(operation.getResponses().get("201"));
        operation
                .getResponses()
                .addApiResponse(
                        "202",
                        new ApiResponse()
                                .description("Collected: it is decided in its round.")
                                .content(created.getContent()));
    }

    /** What the body of a call is a patch to. */
    private static Optional<Class<? extends Record>> patched(HandlerMethod handler) {
        return Arrays.stream(handler.getMethodParameters())
                .flatMap(parameter -> Optional.ofNullable(parameter.getParameterAnnotation(Patches.class)).stream())
                .<Class<? extends Record>>map(Patches::value)
                .findAny();
    }

    /** The roles that the service's own table opens the call to. */
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
                0);
    }

    /** Whether it needs no token. */
    private boolean isOpen(Call call) {
        var nobody =
                new AnonymousAuthenticationToken("nobody", "nobody", AuthorityUtils.createAuthorityList("ROLE_NOBODY"));
        return access.isAllowed("", call.path(), call.method().name(), nobody);
    }

    private static String openTo(Set<Role> roles, boolean isOfOneCluster) {
        var who = roles.size() == Role.values().length
                ? "Open to every account"
                : "Open to accounts of the role "
                        + roles.stream().map(Role::name).collect(Collectors.joining(" or "));
        return who + (isOfOneCluster ? "; to an AGENT, of its own cluster alone." : ".");
    }

    private static Set<ProblemCode> codes(Call call, boolean isClosedToSome) {
        // whatever is called may be garbled, unwelcome, or come at a bad moment
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
