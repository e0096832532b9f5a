package berth.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import berth.Service;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriver;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.WrapsElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.FluentWait;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page in a real browser, served by a service whose clock runs. Without Chromium and its driver the tests fail with {@code -Pfull},
 * and are skipped otherwise.
 */
@SpringBootTest(classes = Service.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Execution(ExecutionMode.SAME_THREAD)
@Tag("full")
class PageIT {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final String ADMIN = "administrator-for-the-page";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final AtomicInteger names = new AtomicInteger();
    private static final TinyIssuer issuer = new TinyIssuer();
    private static final MailServer mail = new MailServer();

    @TempDir(cleanup = CleanupMode.NEVER)
    @SuppressWarnings("NullAway.Init")
    static Path directory;

    @LocalServerPort
    int port;

    @SuppressWarnings("NullAway.Init")
    private static ChromeDriver browser;

    @SuppressWarnings("NullAway.Init")
    private Api admin;

    @SuppressWarnings("NullAway.Init")
    private String cluster;

    @SuppressWarnings("NullAway.Init")
    private String token;

    @SuppressWarnings("NullAway.Init")
    private Api client;

    @SuppressWarnings("NullAway.Init")
    private String owner;

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.toString());
        registry.add("berth.admin-token", () -> ADMIN);
        registry.add("spring.security.oauth2.resourceserver.jwt.issuer-uri", issuer::uri);
        registry.add("berth.oidc.client-id", () -> "page");
        registry.add("berth.url", () -> "http://localhost");
        registry.add("spring.mail.host", () -> mail.host());
        registry.add("spring.mail.port", () -> mail.port());
        registry.add("berth.oidc.origins", () -> "https://keys.example.org");
    }

    @BeforeAll
    static void open() {
        if (!Files.isExecutable(BROWSER) || !Files.isExecutable(DRIVER)) {
            var missing = "The page was not tried in a browser: there is no %s, or no %s.".formatted(BROWSER, DRIVER);
            if (System.getProperty("berth.browser", "").equals("required")) {
                fail(missing);
            }
            System.out.println(missing);
            abort(missing);
        }
        var options = new ChromeOptions();
        options.setBinary(BROWSER.toString());
        options.addArguments(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,1000");
        browser = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
    }

    @BeforeEach
    void begin() {
        admin = new Api(port, Optional.of(ADMIN));
        cluster = "c%d".formatted(names.incrementAndGet());
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"policy":{"notice":"PT0S"}}""".formatted(cluster));
        owner = "client%d".formatted(names.incrementAndGet());
        token = account(owner, "CLIENT");
        client = new Api(port, Optional.of(token));
    }

    /** The token of a new account. */
    private String account(String name, String role) {
        return admin.post("/api/v1/accounts", """
                {"name":"%s","role":"%s"}""".formatted(name, role)).text("token");
    }

    @AfterEach
    void nobodyElseSeesItsPlan() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"visibility\":\"MAP\"}}");
    }

    @AfterEach
    void nothingWasKeptFromLoading() {
        cdp("Emulation.clearDeviceMetricsOverride", Map.of());
        cdp("Emulation.setEmulatedMedia", Map.of("media", "", "features", List.of()));
        block();
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .noneMatch(entry -> entry.getMessage().contains("Content Security Policy")
                        || entry.getMessage().contains("Uncaught"));
    }

    private static void cdp(String command, Map<String, Object> parameters) {
        browser.executeCdpCommand(command, parameters);
    }

    /** Lets the browser not reach these from now on, and everything else. */
    private static void block(String... addresses) {
        cdp("Network.enable", Map.of());
        cdp("Network.setBlockedURLs", Map.of("urls", List.of(addresses)));
    }

    private static void onAPhone() {
        cdp(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 2, "mobile", true));
    }

    private void visit(String who, String view) {
        signIn(who);
        browser.get("http://localhost:%d/#/%s".formatted(port, view));
        see("h1");
        // a view has its title before it is loaded
        waitUntil(() -> browser.findElements(By.cssSelector("h1 + .skeleton")).isEmpty());
    }

    /** Begins a session with a token; none if it is empty. */
    private void signIn(String who) {
        browser.get("http://localhost:%d/page/style.css".formatted(port));
        cdp("Network.clearBrowserCookies", Map.of());
        if (!who.isEmpty()) {
            var status = browser.executeAsyncScript(
                    "const done = arguments[1]; fetch('/api/v1/session', {method: 'POST', headers: {Authorization: `Bearer ${arguments[0]}`}})"
                            + ".then(response => done(response.status))",
                    who);
            assertThat(status).isEqualTo(204L);
        }
    }

    /** Everything that scripts can read of what the browser keeps. */
    private static String readableByScripts() {
        return String.valueOf(browser.executeScript(
                "return JSON.stringify([document.cookie, {...sessionStorage}, {...localStorage}])"));
    }

    /** Waits until the condition holds: the page may still be redrawing. */
    private static void waitUntil(BooleanSupplier isTrue) {
        patience().until(_ -> isTrue.getAsBoolean());
    }

    private static FluentWait<WebDriver> patience() {
        return new WebDriverWait(browser, PATIENCE)
                .ignoring(StaleElementReferenceException.class, NoSuchElementException.class);
    }

    private static WebElement see(String selector) {
        return seen(() -> displayed(selector).orElseThrow(() -> new NoSuchElementException(selector)));
    }

    /** An element that is looked up again at each use, because the page may have redrawn it. */
    private static WebElement seen(Supplier<WebElement> lookup) {
        patience().until(_ -> lookup.get());
        return (WebElement) Proxy.newProxyInstance(
                PageIT.class.getClassLoader(),
                new Class<?>[] {WebElement.class, WrapsElement.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "getWrappedElement" -> lookup.get();
                    case "findElement" -> seen(() -> lookup.get().findElement((By) arguments[0]));
                    default ->
                        patience()
                                .until(_ -> {
                                    try {
                                        return Optional.ofNullable(method.invoke(lookup.get(), arguments));
                                    } catch (IllegalAccessException impossible) {
                                        throw new AssertionError(impossible);
                                    } catch (InvocationTargetException failed) {
                                        throw (RuntimeException) requireNonNull(failed.getCause());
                                    }
                                })
                                .orElse(null);
                });
    }

    private static Optional<WebElement> displayed(String selector) {
        return browser.findElements(By.cssSelector(selector)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst();
    }

    private static void choose(String selector, String value) {
        waitUntil(() -> {
            var list = displayed(selector).orElseThrow(() -> new NoSuchElementException(selector));
            // an option whose text is its value needs no attribute
            var option = new Select(list)
                    .getOptions().stream()
                            .filter(each -> value.equals(each.getDomProperty("value")))
                            .findFirst();
            option.ifPresent(WebElement::click);
            return option.isPresent();
        });
    }

    /** Waits until the page says that, somewhere. */
    private void read(String text) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> "'%s' in: %s".formatted(text, said()))
                .until(_ -> said().contains(text));
    }

    private String said() {
        return String.valueOf(browser.executeScript("return document.body.innerText"));
    }

    /** Presses the button of that name, once it can be pressed: the page may still be redrawing it. */
    private void press(String text) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> "button '%s' in: %s".formatted(text, said()))
                .ignoring(StaleElementReferenceException.class)
                .until(page -> {
                    var found = page.findElements(By.tagName("button")).stream()
                            .filter(each -> each.isDisplayed()
                                    && each.isEnabled()
                                    && each.getText().contains(text))
                            .findFirst();
                    found.ifPresent(WebElement::click);
                    return found.isPresent();
                });
    }

    /** Follows the link of that name, once it is there. */
    private static void follow(String text) {
        patience().until(page -> {
            page.findElement(By.linkText(text)).click();
            return true;
        });
    }

    private void type(String field, String value) {
        typeInto("[name=%s]".formatted(field), value);
    }

    private void typeInto(String selector, String value) {
        see(selector).sendKeys(Keys.chord(Keys.CONTROL, "a"), Keys.BACK_SPACE, value, Keys.TAB);
    }

    private static LocalDateTime moment(@Nullable String field) {
        return LocalDateTime.parse(requireNonNull(field).replace(' ', 'T'));
    }

    private static String in(Duration time) {
        return Instant.now().plus(time).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String booked(String terms) {
        return booked("run", terms);
    }

    private String booked(String name, String terms) {
        var body =
                JsonMapper.shared().createObjectNode().put("cluster", cluster).put("name", name);
        body.set("terms", JsonMapper.shared().readTree(terms));
        var reply = client.post("/api/v1/reservations", body.toString());
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    /** The client for login nodes is tested with the same cases. */
    @Test
    void timesAndDurationsReadAsInTheClient() throws IOException {
        cdp("Emulation.setTimezoneOverride", Map.of("timezoneId", "Europe/Berlin"));
        try {
            visit(token, "find");
            var wrong =
                    browser.executeAsyncScript("""
                    const [cases, done] = [JSON.parse(arguments[0]), arguments[1]];
                    import("/page/time.js").then(({ durationSeconds, fromField, iso }) => {
                      const at = Date.parse(cases.now);
                      const valid = (value, shown) => Number.isNaN(value) ? null : shown(value);
                      const instant = (isEnd) => (text) => valid(fromField(text, "local", isEnd, at), iso);
                      const differ = (all, read) =>
                        Object.entries(all).map(([text, meaning]) => [text, read(text), meaning]).filter(([, one, other]) => one !== other);
                      done([
                        ...differ(cases.durations, (text) => valid(durationSeconds(text), Number)),
                        ...differ(cases.instants, instant(false)),
                        ...differ(cases.deadlines, instant(true)),
                      ]);
                    });
                    """, Files.readString(Path.of("src/test/resources/berth/times.json")));
            assertThat((List<?>) wrong).isEmpty();
        } finally {
            cdp("Emulation.setTimezoneOverride", Map.of("timezoneId", ""));
        }
    }

    /** Drags any distance: the page redraws the map when the pointer rests, and not under it. */
    @Test
    void aUserDragsTheWindowOverTheMap() {
        visit(token, "book?pes=2&duration=1h&cluster=" + cluster);
        read("begins at once");
        var map = displayed("canvas").orElseThrow();
        var before = see("[name=deadline]").getAttribute("value");
        // the window ends six hours before the map does, which is 54 hours long
        var width = map.getSize().getWidth();
        int end = (int) Math.round(52 + (width - 60) * 48 / 54.0) - width / 2;
        var hand = new Actions(browser).moveToElement(map, end, 0).clickAndHold();
        for (int i = 0; i < 10; i++) {
            hand = hand.pause(Duration.ofMillis(100)).moveByOffset(-width / 20, 0);
        }
        hand.perform();

        assertThat(map.isDisplayed()).isTrue();
        var after = see("[name=deadline]").getAttribute("value");
        assertThat(Duration.between(moment(after), moment(before)))
                .isBetween(Duration.ofHours(24), Duration.ofHours(32));
        new Actions(browser).release().perform();
    }

    @Test
    void aUserSignsInWithATokenAndOut() {
        visit("", "mine");
        see("input[type=password]").sendKeys("berth_not-a-token", Keys.ENTER);
        read("does not know this token");
        var input = see("input[type=password]");
        input.clear();
        input.sendKeys(token, Keys.ENTER);
        read("You have no current or future reservations");
        assertThat(readableByScripts()).doesNotContain(token);
        press("Sign out");
        read("You are signed out");
        browser.navigate().refresh();
        see("input[type=password]");
    }

    @Test
    void aLinkInAnotherTabOpensSignedInUntilOneOfThemSignsOut() {
        visit(token, "mine");
        read("You have no current or future reservations");
        var first = browser.getWindowHandle();
        browser.switchTo().newWindow(WindowType.TAB);
        try {
            browser.get("http://localhost:%d/#/find".formatted(port));
            see("[name=pes]");
            press("Sign out");
            read("You are signed out");
        } finally {
            browser.close();
            browser.switchTo().window(first);
        }
        see("input[type=password]");
    }

    @Test
    void anAgentCannotSignIn() {
        visit("", "mine");
        var agent = admin.post("/api/v1/accounts", """
                {"name":"agent%d","role":"AGENT","cluster":"%s"}""".formatted(names.incrementAndGet(), cluster));
        see("input[type=password]").sendKeys(agent.text("token"), Keys.ENTER);
        read("This token belongs to an agent");
    }

    @Test
    void aSlotIsFoundHeldAndConfirmed() {
        var start = Instant.now().plus(Duration.ofHours(2)).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&from=%d&cluster=%s".formatted(start, cluster));
        press("stays at this time");
        read("You have");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isEqualTo("HELD");
        press("Confirm");
        read("Booked for ");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isIn("CONFIRMED", "RUNNING");
    }

    /** Returns an address of Book with a run of 4 PEs for an hour, from in two days until in ten. */
    private String findInTwoDays() {
        var now = Instant.now();
        return "book?pes=4&duration=1h&from=%d&to=%d&cluster=%s"
                .formatted(
                        now.plus(Duration.ofDays(2)).toEpochMilli(),
                        now.plus(Duration.ofDays(10)).toEpochMilli(),
                        cluster);
    }

    private static WebElement priceOf(String way) {
        return seen(() -> firstWith(way, ".offer button"));
    }

    private static WebElement firstWith(String text, String selector) {
        return browser.findElements(By.cssSelector(selector)).stream()
                .filter(each -> each.getText().contains(text))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException(text));
    }

    @ParameterizedTest
    @CsvSource({
        "may still move, INTERVAL, ''",
        "may still move, INTERVAL, &moves=2&shift=1h&notice=12h",
        "stays, STRICT, &shift=1h"
    })
    void aRunIsBookedForThePriceOnItsButton(String way, String scenario, String bounds) {
        visit(token, findInTwoDays() + bounds);
        var button = priceOf(way);
        var price = button.findElement(By.cssSelector(".big")).getText();
        button.click();
        assertThat(see("dd strong").getText()).isEqualTo(price);
        assertThat(see("section dl").getText()).contains(cluster, "4", way);
        press("Confirm");
        read("Booked for " + price);
        var made = client.get("/api/v1/reservations");
        assertThat(made.text("items.0.price.amount") + " USD").isEqualTo(price);
        assertThat(made.text("items.0.scenario")).isEqualTo(scenario);
        assertThat(made.text("items.0.movable")).isEqualTo(String.valueOf(way.startsWith("may")));
    }

    @Test
    void anAdministratorBooksForAnAccountAndHandsOverToAnother() {
        var heirs = List.of("h%d".formatted(names.incrementAndGet()), "h%d".formatted(names.incrementAndGet()));
        heirs.forEach(name -> admin.post("/api/v1/accounts", "{\"name\":\"%s\",\"role\":\"CLIENT\"}".formatted(name)));
        visit(ADMIN, findInTwoDays());
        type("account", "no-one");
        priceOf("stays").click();
        read("is not an account that may have reservations");
        type("account", heirs.getFirst());
        priceOf("stays").click();
        assertThat(see("section dl").getText()).contains(heirs.getFirst());
        press("Confirm");
        read("Booked for");
        var made = admin.get("/api/v1/reservations?owner=" + heirs.getFirst()).text("items.0.id");

        visit(ADMIN, "reservation?id=" + made);
        see("details:has([name=account]) summary").click();
        see("[name=account]").sendKeys(heirs.getLast());
        press("Hand it over");
        see("dialog button.harm").click();
        read("It belongs to %s now.".formatted(heirs.getLast()));
        assertThat(admin.get("/api/v1/reservations/" + made).text("owner")).isEqualTo(heirs.getLast());
    }

    @Test
    void aBudgetAllowsOnlyReservationsThatItPays() {
        visit(token, findInTwoDays() + "&budget=3.99");
        assertThat(priceOf("stays").getText()).contains("4.00 USD", "above your budget");
        assertThat(priceOf("stays").isEnabled()).isFalse();
        press("may still move");
        read("You have");
        press("Let it go");
        // offers of other terms are not for sale
        type("pes", "0");
        read("A whole number, at least 1");
        assertThat(browser.findElements(By.cssSelector(".offer button")))
                .isNotEmpty()
                .noneMatch(WebElement::isEnabled);
    }

    @Test
    void aBudgetNeedsOneCurrency() {
        var euros = "c%d".formatted(names.incrementAndGet());
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"tariff":{"currency":"EUR"}}""".formatted(euros));
        visit(token, "book?pes=1&duration=1h");
        read("The clusters have several currencies");
        // a list or, if there are many clusters, a field
        see("[name=cluster]").sendKeys(euros, Keys.TAB);
        read("In EUR.");
        admin.patch("/api/v1/clusters/" + euros, "{\"admission\":\"CLOSED\"}");
    }

    /** Also a place at the end of the window, which can move to an earlier one. */
    @Test
    void eachOfferInAWindowMayStillMove() {
        visit(token, findInTwoDays());
        priceOf("stays");
        assertThat(browser.findElements(By.cssSelector(".offer")))
                .hasSizeGreaterThan(1)
                .allSatisfy(offer -> assertThat(offer.getText()).contains("may still move", "stays"));
    }

    @Test
    void offersAreListedByTheChosenOrder() {
        var start = Instant.now().plus(Duration.ofHours(2));
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":8}}""".formatted(cluster, in(Duration.ofHours(5))));
        visit(token, "book?pes=4&duration=1h&from=%d&cluster=%s".formatted(start.toEpochMilli(), cluster));
        priceOf("stays");
        var soonest = see(".offer p").getText();
        assertThat(browser.findElements(By.cssSelector(".offer"))).hasSizeGreaterThan(1);
        assertThat(displayed("button[value=BEST_AVAILABILITY]")).isEmpty();
        read("Berth’s choice: ");
        press("Cheapest");
        waitUntil(() -> !see(".offer p").getText().equals(soonest));
        assertThat(see("button[value=LOWEST_PRICE]").getAttribute("aria-pressed"))
                .isEqualTo("true");
    }

    @Test
    void aProjectIsChosenAndSuggestedAgain() {
        var project = projectOf("MEMBER", "client%d".formatted(names.incrementAndGet()));
        visit(token, findInTwoDays());
        waitUntil(() -> new Select(see("[name=project]")).getOptions().size() == 3);
        choose("[name=project]", project);
        press("stays");
        read("You have");
        assertThat(see("section dl").getText()).contains(project).doesNotContain("only a label");
        press("Confirm");
        read("Booked for ");
        browser.navigate().refresh();
        waitUntil(() -> project.equals(see("[name=project]").getDomProperty("value")));
        new Select(see("[name=project]")).selectByVisibleText("Another label …");
        type("label", project + "x");
        read("is none of your projects");
    }

    @Test
    void anAddressForCalendarProgramsIsShownOnceAndRevoked() {
        visit(token, "reservations");
        press("Calendar");
        press("Make an address");
        var address = requireNonNull(
                see("input[aria-label='Address to subscribe to']").getAttribute("value"));
        assertThat(address).startsWith("http://localhost:%d/api/v1/feeds/feed_".formatted(port));
        var path = address.substring(address.indexOf("/api"));
        var nobody = new Api(port, Optional.empty());
        assertThat(nobody.get(path).contentType()).startsWith("text/calendar");
        read("Made ");
        press("Revoke");
        see("dialog .harm").click();
        waitUntil(() -> nobody.get(path).status() == 404);
    }

    @Test
    void theFirstViewReadsTheEventsToTheirEndAndNoFurther() {
        booked("{\"duration\":\"PT1H\",\"pes\":1}");
        visit(token, "home");
        read("Running and next");
        pause(Duration.ofSeconds(2));
        assertThat((Long) browser.executeScript("return performance.getEntriesByType('resource')"
                        + ".filter(each => each.name.includes('/api/v1/events?')).length"))
                .isBetween(1L, 10L);
    }

    @Test
    void aUserReadsAndEndsASeries() {
        var first = LocalDateTime.ofInstant(Instant.now().plus(Duration.ofDays(1)), ZoneOffset.UTC)
                .toLocalDate();
        booked("in its way", """
                {"readyTime":"%sT10:00:00Z","deadline":"%1$sT11:00:00Z","duration":"PT1H","pes":8}""".formatted(first.plusDays(1)));
        var series = client.post("/api/v1/series", """
                {"cluster":"%s","name":"mornings","terms":{"duration":"PT1H","pes":2},"count":3,"onConflict":"ANY",
                 "recurrence":{"rrule":"FREQ=DAILY","dtstart":"%sT10:00","zone":"UTC"}}""".formatted(cluster, first));
        assertThat(series.status()).as("%s", series.body()).isEqualTo(201);
        assertThat(states(series.text("id"))).containsExactly("CONFIRMED", "REFUSED", "CONFIRMED");
        var day = DateTimeFormatter.ofPattern("EEE d MMM uuuu", Locale.UK);
        visit(token, "reservation?zone=UTC&id=" + series.text("occurrences.0.reservation"));
        read("Its occurrence of " + day.format(first));
        follow("All of the series");
        read("There was no room.");
        assertThat(see("h1").getText()).isEqualTo("mornings");
        var lines = browser.findElements(By.cssSelector("tbody tr")).stream()
                .map(WebElement::getText)
                .toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).contains(day.format(first), "confirmed", "10:00 – 11:00 UTC", "2.00 USD");
        assertThat(lines.get(1)).contains(day.format(first.plusDays(1)), "refused");
        press("End the series from today");
        see("dialog button:not(.harm)").click();
        assertThat(states(series.text("id"))).containsExactly("CONFIRMED", "REFUSED", "CONFIRMED");
        press("End the series from today");
        see("dialog .harm").click();
        read("The series has no days from today on.");
        assertThat(browser.findElements(By.cssSelector(".state-CANCELLED"))).hasSize(2);
        assertThat(displayed("button.harm")).isEmpty();
        assertThat(states(series.text("id"))).containsExactly("CANCELLED", "REFUSED", "CANCELLED");
        follow(day.format(first));
        read("Its occurrence of " + day.format(first));
    }

    /** A project of which the client is what that role says, and in which an account of that name has reserved and wants a run each day. */
    private String projectOf(String role, String other) {
        var project = "p%d".formatted(names.incrementAndGet());
        var colleague = new Api(port, Optional.of(account(other, "CLIENT")));
        admin.post("/api/v1/projects", "{\"id\":\"%s\",\"name\":\"Climate models\"}".formatted(project));
        admin.put("/api/v1/projects/%s/members/%s".formatted(project, other), "{\"role\":\"MEMBER\"}");
        admin.put("/api/v1/projects/%s/members/%s".formatted(project, owner), "{\"role\":\"%s\"}".formatted(role));
        var filed = colleague.post("/api/v1/reservations", """
                {"cluster":"%s","project":"%s","name":"filed","terms":{"readyTime":"%s","duration":"PT1H","pes":1}}""".formatted(cluster, project, in(Duration.ofHours(20))));
        assertThat(filed.status()).as("%s", filed.body()).isEqualTo(201);
        var series = colleague.post("/api/v1/series", """
                {"cluster":"%s","project":"%s","name":"each night","terms":{"duration":"PT1H","pes":1},"count":2,
                 "recurrence":{"rrule":"FREQ=DAILY","dtstart":"%s","zone":"UTC"}}""".formatted(
                        cluster, project, in(Duration.ofHours(48)).replace("Z", "")));
        assertThat(series.status()).as("%s", series.body()).isEqualTo(201);
        return project;
    }

    private void grant(String project, String id, String amount) {
        var made = admin.post("/api/v1/projects/%s/grants".formatted(project), """
                {"id":"%s","amount":{"amount":"%s","currency":"USD"},"until":"2099-01-01T00:00:00Z"}""".formatted(id, amount));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    @Test
    void aProjectShowsHowItsBudgetStands() {
        var project = projectOf("VIEWER", "client%d".formatted(names.incrementAndGet()));
        var path = "/api/v1/projects/" + project;
        visit(token, "projects?id=" + project);
        read("No budget is granted.");
        // less than is held
        grant(project, "first", "1.00");
        visit(token, "projects?id=" + project);
        assertThat(see(".budget.over").getText())
                .startsWith(client.get(path + "/balance").text("available.amount"))
                .contains("more is held", "Tracked only.");

        grant(project, "second", "21.00");
        admin.patch(path, "{\"mode\":\"ENFORCE\"}");
        visit(token, "projects?id=" + project);
        read("Enforced: Berth refuses");
        assertThat(displayed(".budget.low, .budget.over")).isEmpty();
        // a new reservation reduces the balance at once
        var made = admin.post("/api/v1/reservations", """
                {"cluster":"%s","project":"%s","name":"wide","terms":{"readyTime":"%s","duration":"PT3H","pes":6}}""".formatted(cluster, project, in(Duration.ofHours(80))));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        assertThat(see(".budget.low").getText())
                .startsWith(client.get(path + "/balance").text("available.amount"))
                .contains("most of the budget");

        cdp("Browser.setDownloadBehavior", Map.of("behavior", "allow", "downloadPath", directory.toString()));
        press("Charges of this month as a file");
        var file = directory.resolve(project + "-charges.csv");
        waitUntil(() -> Files.exists(file));
        assertThat(file).content().startsWith("ended_at,reservation,");
    }

    @Test
    void aProjectShowsItsReservationsAndItsOwnerManagesMembers() {
        var other = "client%d".formatted(names.incrementAndGet());
        var project = projectOf("OWNER", other);
        var path = "/api/v1/projects/%s/members/".formatted(project);
        // the only project opens by itself
        visit(token, "projects");
        read("each night");
        assertThat(browser.getCurrentUrl()).contains("id=" + project);
        assertThat(rowOf("filed").getText()).contains("confirmed", other);

        type("member", "nobody-at-all");
        press("Save");
        read("is not an account that may have reservations");
        var third = "client%d".formatted(names.incrementAndGet());
        account(third, "CLIENT");
        type("member", third);
        choose("[name=role]", "VIEWER");
        see("[name=member]").sendKeys(Keys.ENTER);
        see("select[aria-label='Role: %s']".formatted(third));
        assertThat(admin.get("/api/v1/projects/" + project).body().toString())
                .contains("{\"account\":\"%s\",\"role\":\"VIEWER\",\"origin\":\"HAND\"}".formatted(third));
        choose("select[aria-label='Role: %s']".formatted(third), "MEMBER");
        press("Change its role");
        waitUntil(() -> admin.get("/api/v1/projects/" + project)
                .body()
                .toString()
                .contains("{\"account\":\"%s\",\"role\":\"MEMBER\",\"origin\":\"HAND\"}".formatted(third)));
        see("button[aria-label='Remove: %s']".formatted(third)).click();
        see("dialog button:not(.harm)").click();
        see("button[aria-label='Remove: %s']".formatted(third)).click();
        see("dialog .harm").click();
        waitUntil(() -> admin.delete(path + third).status() == 404);

        // the page shows a new reservation without a reload
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","project":"%s","name":"the administrator's","terms":{"readyTime":"%s","duration":"PT1H","pes":1}}""".formatted(cluster, project, in(Duration.ofHours(30))));
        read("the administrator's");
        press("Calendar");
        press("Make an address");
        see("input[aria-label='Address to subscribe to']");
        var feed = client.get("/api/v1/accounts/%s/feeds".formatted(owner));
        assertThat(feed.text("items.0.project")).isEqualTo(project);
        follow("filed");
        read("What happened");
    }

    @Test
    void aViewerReadsTheFiguresOfAPeriodAndWhoWasRefused() {
        booked("{\"duration\":\"PT1H\",\"pes\":3}");
        client.post("/api/v1/reservations", """
                {"cluster":"%s","project":"tides","terms":{"duration":"PT1H","pes":9}}""".formatted(cluster));
        var viewer = account("viewer%d".formatted(names.incrementAndGet()), "VIEWER");
        visit(viewer, "");
        waitUntil(() -> requireNonNull(browser.getCurrentUrl()).contains("#/reports"));
        visit(viewer, "reports?cluster=" + cluster);
        read("1 of 2 requests for room");
        read("Too large or too long");
        follow("Who and why");
        read("9 PEs for 1 h");
        choose("[name=code]", "no-slot");
        read("Nobody was refused for this reason");
        press("From");
        type("from", "someday");
        read("Write a time such as 1 Nov");
    }

    @Test
    void aReportOfAPeriodThatIsLeftIsNotReadToItsEnd() {
        visit(ADMIN, "reports?period=week");
        read("Utilisation");
        browser.executeScript("""
                const send = window.fetch;
                window.underWay = [];
                window.fetch = (path, how) => !path.includes("/reports/") ? send(path, how) : new Promise((_, refuse) => {
                  how.signal.throwIfAborted();
                  underWay.push(path);
                  how.signal.addEventListener("abort", () => {
                    underWay.splice(underWay.indexOf(path), 1);
                    refuse(how.signal.reason);
                  });
                });""");
        browser.executeScript("location.hash = '#/reports?period=month'");
        waitUntil(() -> underWay().size() == 1);
        var month = underWay();
        browser.executeScript("location.hash = '#/reports?period=quarter'");
        waitUntil(() -> underWay().size() == 1 && !underWay().equals(month));
        browser.executeScript("location.hash = '#/admin'");
        read("New cluster");
        assertThat(underWay()).isEmpty();
        assertThat(browser.findElements(By.cssSelector(".problem"))).isEmpty();
    }

    private static List<?> underWay() {
        return (List<?>) requireNonNull(browser.executeScript("return underWay"));
    }

    @ParameterizedTest
    @CsvSource({
        "today, 2026-11-28T00:00:00.000Z, 2026-11-28T16:05:00.000Z",
        "week, 2026-11-23T00:00:00.000Z, 2026-11-28T16:05:00.000Z",
        "month, 2026-11-01T00:00:00.000Z, 2026-11-28T16:05:00.000Z",
        "last-month, 2026-10-01T00:00:00.000Z, 2026-11-01T00:00:00.000Z",
        "quarter, 2026-10-01T00:00:00.000Z, 2026-11-28T16:05:00.000Z"
    })
    void aPeriodOfAReportBeginsWithTheCalendar(String name, String from, String to) {
        visit("", "reports");
        var range = browser.executeAsyncScript("""
                const [name, done] = arguments;
                import("/page/period.js").then(({ rangeOf }) => {
                  const { from, to } = rangeOf(name, Date.UTC(2026, 10, 28, 16, 5), "UTC");
                  done([new Date(from).toISOString(), new Date(to).toISOString()]);
                });""", name);
        assertThat(range).isEqualTo(List.of(from, to));
    }

    @Test
    void theWallSaysWhatIsFreeAndWhenMoreBecomesFree() {
        var start = Instant.now().truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(2));
        booked("{\"duration\":\"PT5H\",\"pes\":6}");
        visit(account("viewer%d".formatted(names.incrementAndGet()), "VIEWER"), "wall?zone=UTC&cluster=" + cluster);
        read("2 PEs free now");
        read("next 4 PEs at");
        assertThat(displayed("header")).isEmpty();
        admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":2,"from":"%s","to":"%s"}""".formatted(
                        start, start.plus(Duration.ofHours(9))));
        read("Out of service");
    }

    @Test
    void anOwnerReadsTheReportOfItsProjectOnly() {
        visit(token, "reports");
        read("you own none");
        assertThat(displayed("nav a[href*=reports]")).isEmpty();
        var project = projectOf("OWNER", "client%d".formatted(names.incrementAndGet()));
        visit(token, "reports");
        see("nav a[href*=reports]");
        assertThat(new Select(see("[name=project]")).getOptions())
                .extracting(WebElement::getText)
                .containsExactly(project);
        read("Spent");
        assertThat(said()).doesNotContain("Utilisation");
    }

    @Test
    void onlyOwnersChangeAProjectAndOnlyMembersSeeIt() {
        var project = projectOf("VIEWER", "client%d".formatted(names.incrementAndGet()));
        visit(token, "projects?id=" + project);
        read("viewer: reads");
        read("each night");
        assertThat(displayed("[name=member]")).isEmpty();
        assertThat(browser.findElements(By.cssSelector("button.harm"))).isEmpty();

        admin.delete("/api/v1/projects/%s/members/%s".formatted(project, owner));
        // the stream ends, and the page reads the project again
        read("you are not a member");
        assertThat(said()).doesNotContain("each night");
        visit(token, "projects");
        read("You are not a member of any project");
    }

    private List<String> states(String series) {
        return client.get("/api/v1/series/" + series)
                .body()
                .path("occurrences")
                .valueStream()
                .map(each -> each.path("reservationState")
                        .asString(each.path("state").asString()))
                .toList();
    }

    @Test
    void anImmediateStartIsBookedAtTheSecondClick() {
        visit(token, "book?pes=4&duration=1h&cluster=" + cluster);
        press("begins at once");
        read("It begins at once");
        press("Confirm");
        read("Booked for ");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isIn("CONFIRMED", "RUNNING");
    }

    @Test
    void aUserSeesWhatAnHourCostsIfPricesAreSent() {
        var start = Instant.now().truncatedTo(ChronoUnit.HOURS);
        admin.put("/api/v1/clusters/%s/signal".formatted(cluster), """
                {"source":"day-ahead","factors":[{"from":"%s","factor":1.5},{"from":"%s","factor":0.25}],"to":"%s"}""".formatted(
                        start, start.plus(5, ChronoUnit.HOURS), start.plus(9, ChronoUnit.HOURS)));
        visit(token, "book?pes=4&duration=1h&cluster=" + cluster);
        read("costs 1.50 USD now, and 0.25 USD from");
        read("From day-ahead, until");
    }

    @Test
    void aUserBoundsHowMuchARunMayBeMovedForASmallerDiscount() {
        visit(token, findInTwoDays());
        var free = priceOf("may still move").findElement(By.cssSelector(".big")).getText();
        see("details:has([name=maxMoves]) summary").click();
        type("maxMoves", "1");
        type("maxShift", "30 min");
        waitUntil(() -> !priceOf("may still move").getText().startsWith(free));
        press("may still move");
        read("You have");
        var made = client.get("/api/v1/reservations");
        assertThat(made.text("items.0.terms.mobility.maxMoves")).isEqualTo("1");
        assertThat(made.text("items.0.terms.mobility.maxShift")).isEqualTo("PT30M");
        assertThat(made.text("items.0.price.amount") + " USD").isGreaterThan(free);
    }

    @Test
    void aRejectionShowsPlacesInsideAndOutsideTheWindow() {
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT6H","pes":8,"deadline":"%s"}}""".formatted(cluster, in(Duration.ofHours(6))));
        var end = Instant.now().plus(Duration.ofHours(3)).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&to=%d&cluster=%s".formatted(end, cluster));
        read("This would, the nearest first:");
        assertThat(priceOf("stays").getText()).contains("4.00 USD");
        var later = priceOf("Finish by").findElement(By.cssSelector(".big")).getText();
        assertThat(later).isLessThan("4.00 USD");
        press("Finish by");
        waitUntil(() -> priceOf("may still move").getText().startsWith(later));
        press("may still move");
        read("You have");
        assertThat(client.get("/api/v1/reservations").text("items.0.price.amount") + " USD")
                .isEqualTo(later);
    }

    @Test
    void aUserTakesAnAlternativeAfterARejection() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"alternativesMaxPhi\":0}}");
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT6H","pes":8,"deadline":"%s"}}""".formatted(cluster, in(Duration.ofHours(6))));
        var end = Instant.now().plus(Duration.ofHours(3)).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&to=%d&cluster=%s".formatted(end, cluster));
        press("Finish by");
        press("stays at this time");
        read("You have");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isEqualTo("HELD");
    }

    @Test
    void aRunWithoutRoomIsBookedWhenThereIsRoom() {
        var other = admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT6H","pes":8,"deadline":"%s"}}""".formatted(cluster, in(Duration.ofHours(6))));
        var end = Instant.now().plus(Duration.ofHours(3)).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&to=%d&cluster=%s".formatted(end, cluster));
        press("Book when there is room");
        read("It waits for room on " + cluster);
        follow("Show it");
        read("waits for room");
        admin.post("/api/v1/reservations/%s/cancel".formatted(other.text("id")));
        waitUntil(
                () -> !client.get("/api/v1/reservations").text("items.0.state").equals("WAITING"));
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isIn("CONFIRMED", "RUNNING");
    }

    @Test
    void aDeadlineIsChosenByItsPrice() {
        visit(token, findInTwoDays());
        priceOf("stays");
        see("details:has(summary strong) summary").click();
        read("you are here");
        var before = see("[name=deadline]").getDomProperty("value");
        assertThat(see(".prices [aria-current]").getText()).contains("USD");
        see(".prices li:first-child button").click();
        assertThat(moment(see("[name=deadline]").getDomProperty("value"))).isBefore(moment(before));
    }

    @Test
    void theMapIsReadAndUsedByKeys() {
        visit(token, "book?pes=8&duration=1h&cluster=" + cluster);
        read("begins at once");
        see("canvas").sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN);
        assertThat(see(".tooltip").getText()).contains("4 PEs from", "USD");
        see("canvas").sendKeys(Keys.ENTER);
        waitUntil(() -> "4".equals(see("[name=pes]").getDomProperty("value")));
        assertThat(see("[name=ready]").getDomProperty("value")).isNotEqualTo("now");
    }

    @Test
    void theSlackGoesAlongWithAnAlternative() {
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT6H","pes":8}}""".formatted(cluster, in(Duration.ofHours(24))));
        long from = Instant.parse(in(Duration.ofHours(24))).toEpochMilli();
        long to = Instant.parse(in(Duration.ofHours(27))).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&from=%d&to=%d&cluster=%s".formatted(from, to, cluster));
        read("outside the window");
        press("may still move");
        read("You have");
        var held = client.get("/api/v1/reservations").body().at("/items/0");
        assertThat(held.get("state").asString()).isEqualTo("HELD");
        assertThat(held.get("scenario").asString()).isEqualTo("INTERVAL");
        assertThat(Duration.between(
                        Instant.parse(held.at("/placement/end").asString()),
                        Instant.parse(held.at("/terms/deadline").asString())))
                .isEqualTo(Duration.ofHours(2));
        read(held.at("/price/amount").asString());
    }

    @Test
    void aMoveIsSeenAsItHappensWithItsReason() {
        // the other one has no choice
        var mine = booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}""".formatted(in(Duration.ofHours(2)), in(Duration.ofHours(12))));
        visit(token, "reservation?id=" + mine);
        read("Live");
        read("confirmed");
        var other = admin.post(
                "/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}}""".formatted(cluster, in(Duration.ofHours(2)), in(Duration.ofMinutes(181))));
        assertThat(other.status()).as("%s", other.body()).isEqualTo(201);
        read("moved to let another request in");
        visit(ADMIN, "timeline?cluster=" + cluster);
        read("run, " + owner);
        read("+1 h");
    }

    @Test
    void aUserRenegotiatesWithTheSlider() {
        var mine = booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":2}""".formatted(in(Duration.ofHours(2)), in(Duration.ofHours(4))));
        var before = client.get("/api/v1/reservations/" + mine).text("price.amount");
        visit(token, "reservation?id=" + mine);
        read("costs less");
        var slider = see("[name=flexibility]");
        var agreed = requireNonNull(see("[name=deadline]").getDomProperty("value"));
        slider.sendKeys(Keys.ARROW_RIGHT, Keys.HOME);
        read("These are the terms you have");
        slider.sendKeys(Keys.END);
        read("instead of " + before);
        assertThat(see("[name=deadline]").getDomProperty("value")).isGreaterThan(agreed);
        press("Agree to these terms");
        waitUntil(() ->
                !client.get("/api/v1/reservations/" + mine).text("price.amount").equals(before));
        assertThat(client.get("/api/v1/reservations/" + mine).text("price.amount"))
                .isLessThan(before);
    }

    @Test
    void aUserReturnsPesOfARunningRunForTheCreditThatIsShown() {
        admin.patch("/api/v1/clusters/" + cluster, "{\"tariff\":{\"returnShare\":0.5}}");
        var path = "/api/v1/reservations/" + booked("{\"duration\":\"PT10H\",\"pes\":8}");
        waitUntil(() -> client.get(path).text("state").equals("RUNNING"));
        visit(token, path.replace("/api/v1/reservations/", "reservation?id="));
        read("It runs. Fewer PEs");
        type("pes", "4");
        read(" instead of 80.00 USD");
        read(" taken off for what you return");
        press("Agree to these terms");
        waitUntil(() -> client.get(path).text("terms.pes").equals("4"));
        var after = client.get(path);
        assertThat(after.text("returnCredit.amount")).startsWith("19.9");
        assertThat(after.text("price.amount")).startsWith("60.0");
    }

    @Test
    void aRunThatStaysGetsFreedomForALowerPrice() {
        var mine = booked("""
                {"readyTime":"%s","duration":"PT1H","pes":2}""".formatted(in(Duration.ofHours(2))));
        var path = "/api/v1/reservations/" + mine;
        assertThat(client.get(path).text("scenario")).isEqualTo("STRICT");
        visit(token, "reservation?id=" + mine);
        read("It stays where it is. Give it freedom");
        see("[name=flexibility]").sendKeys(Keys.END);
        read("instead of 2.00 USD");
        press("Agree to these terms");
        waitUntil(() -> client.get(path).text("scenario").equals("INTERVAL"));
        assertThat(client.get(path).text("price.amount")).isLessThan("2.00");
    }

    @ParameterizedTest
    @CsvSource({
        "2, You owe 1.00 USD of 2.00 USD. Cancelling was free until",
        "50, You owe nothing. Cancelling is free until"
    })
    void theCancellationDialogShowsItsCost(int hours, String says) {
        admin.patch("/api/v1/clusters/" + cluster, """
                {"tariff":{"cancellation":{"freeUntil":"P1D","share":0.5}}}""");
        var mine = booked("""
                {"readyTime":"%s","duration":"PT1H","pes":2}""".formatted(in(Duration.ofHours(hours))));
        visit(token, "reservation?id=" + mine);
        press("Cancel it");
        assertThat(see("dialog p").getText()).contains(says);
        assertThat(client.get("/api/v1/reservations/" + mine).text("state")).isEqualTo("CONFIRMED");
        see("dialog .harm").click();
        read("Done.");
        assertThat(client.get("/api/v1/reservations/" + mine).text("price.amount"))
                .isEqualTo(hours == 2 ? "1.00" : "0.00");
    }

    @Test
    void thePageShowsThatAPlaceIsFinal() {
        var mine = booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":2}""".formatted(in(Duration.ofHours(2)), in(Duration.ofHours(9))));
        client.post("/api/v1/reservations/%s/fix".formatted(mine), "{}");
        visit(token, "reservation?id=" + mine);
        read("Its place is final");
        see("[name=duration]");
        assertThat(displayed("[name=flexibility]")).isEmpty();
    }

    @Test
    void anOutageBeginsNowUnlessATimeIsChosen() {
        visit(ADMIN, "admin?tab=outages&cluster=" + cluster);
        see("[name=outage-when]");
        assertThat(displayed("[name=outage-begin]")).isEmpty();
        press("What would happen?");
        read("No reservation would move");
        // the minute in which it was tried may be over by now
        pause(Duration.ofSeconds(2));
        press("Make the outage");
        see("dialog button.harm").click();
        read("The outage is recorded.");
        var outages = admin.get("/api/v1/clusters/%s/outages".formatted(cluster))
                .body()
                .get("items");
        assertThat(outages).hasSize(1);
        assertThat(Instant.parse(outages.get(0).get("from").asString())).isBeforeOrEqualTo(Instant.now());
    }

    @Test
    void aTokenIsShownUntilItIsClosed() {
        visit(ADMIN, "admin?tab=accounts");
        press("New account");
        var name = "client%d".formatted(names.incrementAndGet());
        type("name", name);
        type("pes", "many");
        type("priority", "11");
        press("Create");
        read("A whole number, at least 1, or nothing");
        read("A whole number from 1 to 10.");
        type("pes", "4");
        type("priority", "7");
        type("maxHold", "10 min");
        typeInto("[name='coolDown.after']", "4 h");
        press("Create");
        read("Say how long the pause is.");
        typeInto("[name='coolDown.duration']", "6 h");
        press("Create");
        var shown = requireNonNull(see("input[readonly]").getDomProperty("value"));
        assertThat(shown).startsWith("berth_");
        assertThat(new Api(port, Optional.of(shown)).get("/api/v1/me").text("limits.pes"))
                .isEqualTo("4");
        follow("Rules");
        read("Changed only");
        follow("Accounts");
        type("accounts-search", name);
        rowOf("4 PEs at one time, holds of 10 min, a pause of 6 h after runs of 4 h");
        follow(name);
        see("[name=pes]").sendKeys(Keys.BACK_SPACE);
        press("Save");
        waitUntil(() -> admin.get("/api/v1/accounts/" + name).text("limits.pes").isEmpty());
        assertThat(admin.get("/api/v1/accounts/" + name).text("limits.maxHold")).isEqualTo("PT10M");
        assertThat(admin.get("/api/v1/accounts/" + name).text("limits.coolDown.after"))
                .isEqualTo("PT4H");
        assertThat(see("input[readonly]").getDomProperty("value")).isEqualTo(shown);
        press("I have kept it");
        assertThat(displayed("input[readonly]")).isEmpty();
    }

    @Test
    void aMaintenanceIsTriedAndThenMade() {
        var start = in(Duration.ofHours(24));
        booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}""".formatted(start, in(Duration.ofHours(25))));
        visit(ADMIN, "timeline?cluster=" + cluster);
        press("Plan an outage");
        assertThat(see("[name=outage-cluster]").getDomProperty("value")).isEqualTo(cluster);
        see("[name=outage-when][value=at]").click();
        type("outage-pes", "8");
        type("outage-duration", "26h");
        var outages = "/api/v1/clusters/%s/outages".formatted(cluster);
        press("What would happen?");
        read("1 would fail");
        assertThat(see("form table tbody").getText()).contains(owner, "would fail", "USD");
        assertThat(admin.get(outages).body().get("items")).isEmpty();
        type("outage-duration", "2h");
        press("When would it harm least?");
        press("0 moved, 0 failed");
        read("No reservation would move");
        press("Make the outage");
        read("out of service?");
        browser.executeScript("const yes = document.querySelector('dialog button.harm'); yes.click(); yes.click()");
        read("The outage is recorded.");
        assertThat(admin.get(outages).body().get("items")).hasSize(1);
    }

    @Test
    void theQuestionBeforeAnOutageSaysWhatItWouldDoByNow() {
        visit(ADMIN, "admin?tab=outages&cluster=" + cluster);
        type("outage-pes", "8");
        press("What would happen?");
        read("No reservation would move");
        booked("{\"duration\":\"PT1H\",\"pes\":8,\"deadline\":\"%s\"}".formatted(in(Duration.ofMinutes(61))));
        press("Make the outage");
        assertThat(see("dialog p").getText()).contains("1 would fail");
    }

    @Test
    void theSecondClickOnADialogDoesNotHitWhatLiesUnderIt() {
        visit(ADMIN, "admin");
        var hits = browser.executeAsyncScript("""
                const done = arguments[0];
                const hits = [];
                const types = ["pointerdown", "pointerup", "click"];
                types.forEach((type) => document.addEventListener(type, () => hits.push(type)));
                const click = (clientX, clientY) => types.forEach((type) => document.elementFromPoint(clientX, clientY).dispatchEvent(
                  new PointerEvent(type, { clientX, clientY, pointerId: 1, pointerType: "mouse", bubbles: true, cancelable: true })));
                import("/page/ui.js").then(async ({ ask }) => {
                  const answer = ask("Is it there?", "Yes", "No");
                  const { x, y } = document.querySelector("dialog button.harm").getBoundingClientRect();
                  click(x + 5, y + 5);
                  click(x + 5, y + 5);
                  click(x + 55, y + 5);
                  done([await answer, ...hits]);
                });""");
        assertThat(hits)
                .isEqualTo(List.of(true, "pointerdown", "pointerup", "click", "pointerdown", "pointerup", "click"));
    }

    @Test
    void theTrialOfAMaintenanceShowsItsOwnCluster() {
        var other = "c%d".formatted(names.incrementAndGet());
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8}""".formatted(other));
        visit(ADMIN, "timeline?outage=1&cluster=" + cluster);
        choose("[name=outage-cluster]", other);
        press("What would happen?");
        assertThat(see("section[data-cluster=%s] canvas".formatted(other)).isDisplayed())
                .isTrue();
        assertThat(browser.getCurrentUrl()).contains("cluster=" + cluster, "cluster=" + other);
    }

    @Test
    void anOutageNamesNodes() {
        var named = "c%d".formatted(names.incrementAndGet());
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":8,"granule":2,"peNames":"hop[01-04]","binding":"EARLY"}""".formatted(named));
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","name":"a run","terms":{"duration":"PT1H","pes":2}}""".formatted(named));
        visit(ADMIN, "timeline?outage=1&cluster=" + named);
        type("outage-pe-ids", "hop9");
        press("What would happen?");
        read("“hop9” is not in hop[01-04]");
        type("outage-pe-ids", "hop[01,04]");
        press("What would happen?");
        read("would lack PEs");
        waitUntil(() -> see("form table tbody").getText().contains("a run"));
        press("Make the outage");
        see("dialog button.harm").click();
        read("The outage is recorded.");
        assertThat(admin.get("/api/v1/clusters/%s/outages".formatted(named)).text("items.0.nodes"))
                .isEqualTo("hop[01,04]");
    }

    @Test
    void aViewerReachesBarsByKeysAndReadsTheirDetails() {
        booked("{\"duration\":\"PT1H\",\"pes\":3}");
        visit(account("viewer%d".formatted(names.incrementAndGet()), "VIEWER"), "timeline?cluster=" + cluster);
        read("booked in this time");
        var canvas = see("section[data-cluster=%s] canvas".formatted(cluster));
        canvas.sendKeys(Keys.ARROW_RIGHT);
        assertThat(see(".tooltip").getText()).contains(owner, "3 PEs");
        canvas.sendKeys(Keys.ENTER);
        assertThat(see("aside.beside").getText()).contains(owner, "3 PEs", "running");
        assertThat(browser.findElements(By.cssSelector("aside.beside a"))).isEmpty();
        browser.switchTo().activeElement().sendKeys(Keys.ESCAPE);
        assertThat(displayed("aside.beside")).isEmpty();
        assertThat(browser.switchTo().activeElement()).isEqualTo(canvas);
    }

    @Test
    void aUserWhoReplacesItsOwnTokenStaysSignedIn() {
        var name = "operator%d".formatted(names.incrementAndGet());
        visit(account(name, "ADMIN"), "admin?tab=accounts&accounts-search=" + name);
        see("[aria-label='More for %s']".formatted(name)).click();
        press("New token");
        see("dialog button.harm").click();
        read("It is shown only once");
        var shown = see("input[readonly]").getDomProperty("value");
        assertThat(new Api(port, Optional.of(String.valueOf(shown)))
                        .get("/api/v1/me")
                        .text("name"))
                .isEqualTo(name);
        browser.executeScript("location.hash = '#/mine'");
        read("Now running");
        browser.navigate().refresh();
        read("Now running");
    }

    private static WebElement rowOf(String text) {
        return seen(() -> firstWith(text, "tbody tr"));
    }

    @Test
    void aRoleChangesOnlyAfterAConfirmation() {
        visit(ADMIN, "admin?tab=accounts&account=" + owner);
        choose("[name=role]", "VIEWER");
        waitUntil(() -> displayed("[name=priority]").isEmpty());
        press("Save");
        see("dialog button:not(.harm)").click();
        assertThat(see("[name=role]").getDomProperty("value")).isEqualTo("VIEWER");
        assertThat(admin.get("/api/v1/accounts/" + owner).text("role")).isEqualTo("CLIENT");
        press("Save");
        press("Change its role");
        waitUntil(() -> admin.get("/api/v1/accounts/" + owner).text("role").equals("VIEWER"));
    }

    @Test
    void futureReservationsAreShownHoweverManyHaveEnded() {
        booked("the old one", """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(20))));
        for (int i = 0; i < 501; i++) {
            var id = booked("{\"duration\":\"PT1H\",\"pes\":1}");
            client.post("/api/v1/reservations/%s/cancel".formatted(id));
        }
        visit(token, "reservations");
        read("the old one");
        follow("Ended");
        read("Only the newest 500 of each state");
        read("1–50 of 500");
        press("Read more");
        read("1–50 of 501");
    }

    @Test
    void theFirstViewSaysWhatToDoFirstAndThenWhatComesNext() {
        visit(token, "");
        read("First steps");
        booked("tonight's run", """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(5))));
        read("tonight's run");
        assertThat(said()).contains("Next run in", "stays at this time").doesNotContain("First steps");
    }

    @Test
    void aRunIsMovedByDraggingItInTheWeek() {
        var day = LocalDateTime.ofInstant(Instant.now().plus(Duration.ofDays(1)), ZoneOffset.UTC)
                .toLocalDate();
        var id = booked("to be moved", """
                {"readyTime":"%sT10:00:00Z","duration":"PT1H","pes":4}""".formatted(day));
        visit(token, "reservations?zone=UTC&tab=week&week=" + day);
        var block = see("a.block");
        new Actions(browser)
                .moveToElement(block)
                .clickAndHold()
                .moveByOffset(0, 30)
                .moveByOffset(0, 30)
                .perform();
        read("instead of 4.00 USD");
        new Actions(browser).release().perform();
        read("Move to be moved to");
        press("Move it");
        waitUntil(() ->
                client.get("/api/v1/reservations/" + id).text("placement.start").equals("%sT12:00:00Z".formatted(day)));
    }

    @Test
    void aRunThatHasEndedIsBookedAgain() {
        var id = client.post("/api/v1/reservations", """
                {"cluster":"%s","name":"once more","project":"a label","terms":{"readyTime":"%s","duration":"PT90M","pes":3}}""".formatted(cluster, in(Duration.ofHours(20))))
                .text("id");
        client.post("/api/v1/reservations/%s/cancel".formatted(id));
        visit(token, "reservations?tab=ended");
        follow("Book again");
        waitUntil(() -> "once more".equals(see("[name=name]").getDomProperty("value")));
        assertThat(Stream.of("pes", "duration", "cluster", "label")
                        .map(field -> see("[name=%s]".formatted(field)).getDomProperty("value")))
                .containsExactly("3", "1 h 30 min", cluster, "a label");
    }

    @Test
    void aRefusalLeadsToWhatWouldHaveFitted() {
        booked("in its way", """
                {"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":6}""".formatted(in(Duration.ofHours(20)), in(Duration.ofHours(22))));
        var refused = client.post(
                "/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","deadline":"%s","duration":"PT2H","pes":4}}""".formatted(cluster, in(Duration.ofHours(20)), in(Duration.ofHours(22))));
        assertThat(refused.text("code")).isEqualTo("no-slot");
        // it is recorded within a second
        waitUntil(() -> client.get("/api/v1/refusals").body().path("items").size() == 1);
        visit(token, "reservations?tab=refused");
        read("There was no room.");
        follow("2 PEs");
        waitUntil(() -> "2".equals(see("[name=pes]").getDomProperty("value")));
    }

    @Test
    void aListLoadsWhileItChanges() throws InterruptedException {
        visit(token, "reservations");
        read("You have no current or future reservations");
        // each reading lasts longer than the pause between two
        browser.executeScript("""
                const send = window.fetch;
                window.fetch = async (path, how) => {
                  await new Promise((go) => setTimeout(go, path.includes("/reservations?") ? 700 : 0));
                  how.signal?.throwIfAborted();
                  return send(path, how);
                };""");
        var isOver = new AtomicBoolean();
        var others = Thread.startVirtualThread(() -> {
            while (!isOver.get()) {
                booked("{\"duration\":\"PT1H\",\"pes\":1}");
                pause(Duration.ofMillis(100));
            }
        });
        try {
            patience()
                    .until(page -> page.findElements(By.cssSelector("tbody tr")).size() > 3);
        } finally {
            isOver.set(true);
            others.join();
        }
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aLateResponseIsNotShownInTheNextView() {
        var later = """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(20)));
        var left = booked("the one that is left", later);
        var shown = booked("the one that is shown", later);
        visit(token, "reservation?id=" + shown);
        read("Live");
        browser.executeScript(
                "location.hash = '#/reservation?id=%s'; setTimeout(() => location.hash = '#/reservation?id=%s', 1)"
                        .formatted(left, shown));
        pause(Duration.ofSeconds(2));
        client.post("/api/v1/reservations/%s/cancel".formatted(left));
        pause(Duration.ofSeconds(2));
        assertThat(see("h1").getText()).isEqualTo("the one that is shown");
        assertThat(see("ol.history").getText()).doesNotContain("cancelled");
    }

    @Test
    void aReservationThatHasLostItsPesLeadsToTheNearestPlace() {
        var start = in(Duration.ofHours(20));
        var end = in(Duration.ofHours(22));
        var lost = booked("""
                {"readyTime":"%s","duration":"PT90M","pes":8}""".formatted(start));
        admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":1,"from":"%s","to":"%s"}""".formatted(start, end));
        visit(token, "reservation?id=" + lost);
        read("Nearest place that fits");
        follow("Find it again from then on");
        waitUntil(() -> "8".equals(see("[name=pes]").getDomProperty("value")));
        assertThat(see("[name=duration]").getDomProperty("value")).isEqualTo("1 h 30 min");
        assertThat(see("[name=cluster]").getDomProperty("value")).isEqualTo(cluster);
        read("stays at this time");
    }

    @Test
    void theFormToExtendStaysOpenDuringUpdates() {
        var mine = booked("""
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(20))));
        visit(token, "reservation?id=" + mine);
        read("Live");
        type("by", "3h");
        read("It would end ");
        client.post("/api/v1/reservations/%s/fix".formatted(mine));
        read("place made final");
        assertThat(see("[name=by]").getDomProperty("value")).isEqualTo("3h");
    }

    @Test
    void savingAgainKeepsTheChangesOfAnotherUser() {
        visit(ADMIN, "admin?tab=rules&group=moving&cluster=" + cluster);
        type("'policy.maxMoves'", "5");
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"horizon":"P30D"}}""");
        press("Save");
        read("Somebody else has changed the cluster");
        press("Save");
        read("Saved.");
        var policy = admin.get("/api/v1/clusters/" + cluster);
        assertThat(policy.text("policy.horizon")).isEqualTo("P30D");
        assertThat(policy.text("policy.maxMoves")).isEqualTo("5");
    }

    @Test
    void thePlanShowsTooManyJobsAsAShare() {
        var crowded = "c%d".formatted(names.incrementAndGet());
        admin.post("/api/v1/clusters", """
                {"id":"%s","pes":1000,"policy":{"jobs":"OUTSIDE"}}""".formatted(crowded));
        var jobs = IntStream.range(0, 9_998).mapToObj(i -> """
                        {"name":"j%d","owner":"ada","pes":1,"estimate":"PT1H","submittedAt":"2026-01-01T00:00:00Z"}""".formatted(i)).collect(Collectors.joining(","));
        var queue = admin.send(admin.request("/api/v1/clusters/%s/jobs".formatted(crowded))
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"jobs\":[%s]}".formatted(jobs))));
        assertThat(queue.status()).as("%s", queue.body()).isEqualTo(200);
        for (int i = 0; i < 4; i++) {
            admin.post("/api/v1/reservations", """
                    {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":1}}""".formatted(crowded, in(Duration.ofHours(20))));
        }
        var now = Instant.now();
        var many = now.plus(Duration.ofHours(30)).toEpochMilli();
        var from = now.minus(Duration.ofHours(1)).toEpochMilli();
        visit(ADMIN, "timeline?cluster=%s&from=%d&to=%d".formatted(crowded, from, many));
        read("more than 10,000 placements");
        // three times as long would still be too long
        var some = now.plus(Duration.ofHours(12)).toEpochMilli();
        browser.executeScript("location.hash = '#/timeline?cluster=%s&from=%d&to=%d'".formatted(crowded, from, some));
        waitUntil(() -> !said().contains("more than 10,000 placements"));
        browser.executeScript("document.querySelector('details.list').open = true");
        read("batch job");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/me", "/page/reservations.js"})
    void aUserRetriesAfterAFailedCall(String path) {
        signIn(token);
        block("*" + path);
        browser.get("http://localhost:%d/#/mine".formatted(port));
        read("That did not work.");
        block();
        press("Try again");
        read("You have no current or future reservations");
    }

    @Test
    void aUserWhoSignsInAtTheIssuerReturnsToTheView() {
        issuer.subject = owner;
        // it is renewed a minute before its end
        issuer.validity = Duration.ofSeconds(62);
        visit("", "mine?ended=1");
        press("Sign in with your organisation");
        read("You have no current or future reservations");
        assertThat(browser.getCurrentUrl()).endsWith("/#/reservations?ended=1");
        var first = cookies();
        waitUntil(() -> !first.equals(cookies()));
        // no part of a JWT
        assertThat(readableByScripts()).doesNotContain("eyJ");
        browser.navigate().refresh();
        read("You have no current or future reservations");
        press("Sign out");
        read("You are signed out");
        browser.navigate().refresh();
        see("input[type=password]");
        assertThat(browser.executeScript("return Object.keys(sessionStorage).join()"))
                .isEqualTo("");
    }

    private String cookies() {
        var url = "http://localhost:%d/api/v1/me".formatted(port);
        return String.valueOf(browser.executeCdpCommand("Network.getCookies", Map.of("urls", List.of(url))));
    }

    @Test
    void theIssuerIsAskedAgainWhenASessionHasEnded() {
        issuer.subject = owner;
        visit("", "mine?ended=1");
        press("Sign in with your organisation");
        read("You have no current or future reservations");
        cdp("Network.clearBrowserCookies", Map.of());
        browser.navigate().refresh();
        read("You have no current or future reservations");
        assertThat(browser.getCurrentUrl()).endsWith("/#/reservations?ended=1");

        issuer.subject = "nobody";
        cdp("Network.clearBrowserCookies", Map.of());
        browser.navigate().refresh();
        read("this service does not let you in");
        assertThat(see("input[type=password]").isDisplayed()).isTrue();
    }

    @Test
    void aUserWhomTheIssuerRefusesSeesItsErrorAndIsNotSentThereAgain() {
        issuer.refusal = "invalid_scope";
        try {
            visit("", "mine");
            press("Sign in with your organisation");
            read("It returned the error invalid_scope.");
        } finally {
            issuer.refusal = "";
        }
        assertThat(issuer.scope).isEqualTo("openid profile email");
        browser.navigate().refresh();
        assertThat(see("input[type=password]").isDisplayed()).isTrue();
    }

    @Test
    void thePageConnectsOnlyToBerthAndToTheOriginsOfTheIssuer() {
        visit(token, "mine");
        var policy = browser.executeAsyncScript("const done = arguments[0];"
                + " fetch('/').then(answer => done(answer.headers.get('Content-Security-Policy')))");
        assertThat(String.valueOf(policy))
                .contains("connect-src 'self' %s https://keys.example.org;".formatted(issuer.uri()));
    }

    @Test
    void thePlanLinksOnlyToViewsOpenToTheUser() {
        booked("{\"duration\":\"PT1H\",\"pes\":3}");
        visit(account("viewer%d".formatted(names.incrementAndGet()), "VIEWER"), "timeline?cluster=" + cluster);
        browser.executeScript("document.querySelector('details.list').open = true");
        read("running");
        assertThat(browser.findElements(By.cssSelector("main tbody a"))).isEmpty();
        visit(token, "find");
        assertThat(browser.findElements(By.linkText("Timeline"))).isEmpty();

        admin.patch("/api/v1/clusters/" + cluster, "{\"policy\":{\"visibility\":\"NAMES\"}}");
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT1H","pes":1}}""".formatted(cluster));
        visit(token, "timeline?cluster=" + cluster);
        browser.executeScript("document.querySelector('details.list').open = true");
        read("admin");
        assertThat(browser.findElements(By.cssSelector("main tbody a"))).hasSize(1);
        assertThat(browser.findElements(By.linkText("Timeline"))).hasSize(1);
    }

    @Test
    void aDoubleClickMakesOneHold() {
        var start = Instant.now().plus(Duration.ofHours(2)).toEpochMilli();
        visit(token, "book?pes=4&duration=1h&from=%d&cluster=%s".formatted(start, cluster));
        read("stays at this time");
        new Actions(browser).doubleClick(see(".offer button")).perform();
        read("You have");
        pause(Duration.ofSeconds(1));
        assertThat(held()).hasSize(1);
        var first = held().getFirst();
        press("stays at this time");
        waitUntil(() -> held().size() == 1 && !held().contains(first));
        browser.navigate().refresh();
        read("You have");
        press("Let it go");
        waitUntil(() -> held().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Let it go", "stays at this time"})
    void aHoldThatAnotherTabConfirmedStaysBooked(String button) {
        visit(token, findInTwoDays());
        press("stays at this time");
        read("You have");
        var id = held().getFirst();
        client.post("/api/v1/reservations/%s/confirm".formatted(id));
        press(button);
        read(button.startsWith("Let") ? "was answered elsewhere" : "You have");
        waitUntil(() -> held().size() == (button.startsWith("Let") ? 0 : 1));
        assertThat(client.get("/api/v1/reservations/" + id).text("state")).isEqualTo("CONFIRMED");
    }

    @Test
    void anExtensionWhoseResponseIsLostIsMadeOnceWhenItIsRepeated() {
        var path = "/api/v1/reservations/" + booked("""
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(20))));
        visit(token, path.replace("/api/v1/reservations/", "reservation?id="));
        browser.executeScript("""
                const send = window.fetch;
                window.fetch = async (path, how) => {
                  const response = await send(path, how);
                  if (path.endsWith("/extend") && !how.body.includes("dryRun")) {
                    window.fetch = send;
                    throw new TypeError("lost");
                  }
                  return response;
                };""");
        type("by", "2h");
        press("Extend it");
        read("The service does not respond");
        waitUntil(() -> client.get(path).text("terms.duration").equals("PT3H"));
        press("Extend it");
        waitUntil(() -> requireNonNull(see("[name=by]").getDomProperty("value")).isEmpty());
        assertThat(client.get(path).text("terms.duration")).isEqualTo("PT3H");
    }

    @Test
    void aSecondEnterDoesNotAnswerTheQuestionThatTheFirstOneOpened() {
        visit(token, findInTwoDays());
        see(".offer button").sendKeys(Keys.ENTER);
        waitUntil(() -> browser.switchTo().activeElement().getText().equals("Held for you"));
        browser.switchTo().activeElement().sendKeys(Keys.ENTER);
        pause(Duration.ofSeconds(1));
        assertThat(held()).hasSize(1);
        visit(token, "reservation?id=" + held().getFirst());
        read("Live");
        firstWith("Cancel it", "button").sendKeys(Keys.ENTER);
        see("dialog");
        browser.switchTo().activeElement().sendKeys(Keys.ENTER);
        waitUntil(() -> displayed("dialog").isEmpty());
        pause(Duration.ofSeconds(1));
        assertThat(held()).hasSize(1);
    }

    private List<String> held() {
        return client.get("/api/v1/reservations?state=HELD")
                .body()
                .get("items")
                .valueStream()
                .map(each -> each.get("id").asString())
                .toList();
    }

    @Test
    void aClickOnACellKeepsTheSlack() {
        visit(token, "book?pes=2&duration=1h&cluster=" + cluster);
        read("begins at once");
        var map = displayed("canvas").orElseThrow();
        browser.executeScript("arguments[0].scrollIntoView({block: 'center'})", map);
        new Actions(browser)
                .moveToElement(map, 0, 28 - map.getSize().getHeight() / 2 + 9)
                .click()
                .perform();
        waitUntil(() -> "8".equals(see("[name=pes]").getDomProperty("value")));
        var window = Duration.between(
                moment(see("[name=ready]").getDomProperty("value")),
                moment(see("[name=deadline]").getDomProperty("value")));
        assertThat(window).isBetween(Duration.ofHours(47), Duration.ofHours(49));
    }

    @Test
    void theZoneAndTheFocusStayAcrossViews() {
        booked("a run", """
                {"readyTime":"%s","duration":"PT1H","pes":1}""".formatted(in(Duration.ofHours(20))));
        visit(token, "reservations");
        read("a run");
        choose("header select", "UTC");
        read("UTC");
        assertThat(browser.switchTo().activeElement().getTagName()).isEqualTo("select");
        follow("a run");
        read("Live");
        assertThat(browser.getCurrentUrl()).contains("zone=UTC");
        assertThat(browser.switchTo().activeElement().getTagName()).isEqualTo("h1");
        follow("Book");
        read("Not before (UTC)");
    }

    @Test
    void thePlanShowsChangesOfOthersLive() {
        visit(ADMIN, "timeline?cluster=" + cluster);
        read("Live");
        browser.executeScript("document.querySelector('details.list').open = true");
        booked("{\"duration\":\"PT1H\",\"pes\":3}");
        patience()
                .until(page -> !page.findElements(By.cssSelector("details.list tbody tr"))
                        .isEmpty());
        assertThat(see("details.list tbody").getText()).contains("running", "3");
    }

    @Test
    void rulesAreWrittenInTheUnitsOfTheirFieldsAndAllErrorsAreShownAtOnce() {
        visit(ADMIN, "admin?tab=rules&group=size&cluster=" + cluster);
        type("labels", "gpu");
        press("Price");
        type("'tariff.pricePerPeHour'", "1,80");
        type("'tariff.premiumFactor'", "many");
        type("'tariff.cancellation.freeUntil'", "1 day");
        type("'tariff.cancellation.share'", "50%");
        type("'tariff.loadProfile'", "80% = 1.5");
        press("Save");
        read("A number from 1 to 1000.");
        read("Write names with values");
        type("'tariff.premiumFactor'", "2");
        type("labels", "gpu=a100, rack=3");
        press("What would change?");
        read("No reservation would move");
        press("Save");
        read("Saved.");
        var saved = admin.get("/api/v1/clusters/" + cluster);
        assertThat(saved.text("tariff.pricePerPeHour")).isEqualTo("1.80");
        assertThat(saved.text("tariff.cancellation.freeUntil")).isEqualTo("P1D");
        assertThat(saved.text("tariff.cancellation.share")).isEqualTo("0.5");
        assertThat(saved.text("tariff.loadProfile.0.above")).isEqualTo("0.8");
        see("input[type=checkbox]").click();
        type("labels", "rack=3");
        press("Save");
        waitUntil(() -> admin.get("/api/v1/clusters/" + cluster)
                .body()
                .get("labels")
                .toString()
                .equals("{\"rack\":\"3\"}"));
    }

    @Test
    void rulesThatAreNotSavedStayWhileAnotherTabIsOpen() {
        visit(ADMIN, "admin?tab=rules&group=size&cluster=" + cluster);
        type("labels", "gpu=a100");
        follow("Instances");
        read("The Berth processes on this database");
        follow("Rules");
        waitUntil(() -> "gpu=a100".equals(see("[name=labels]").getDomProperty("value")));
        press("Discard");
        assertThat(see("[name=labels]").getDomProperty("value")).isEmpty();
    }

    @Test
    void aRunWaitsByARuleThatIsMadeOnThePageUntilAnApproverApprovesIt() {
        var approver = "client%d".formatted(names.incrementAndGet());
        var approverToken = account(approver, "CLIENT");
        visit(ADMIN, "admin?tab=rules&group=access&cluster=" + cluster);
        see(".wide p button").sendKeys(Keys.ENTER);
        typeInto("[name='[0].pesAbove']", "many");
        choose("[name='[0].more']", "leadBelow");
        typeInto("[name='[0].leadBelow']", "0 min");
        see(".wide p button").sendKeys(Keys.ENTER);
        press("Save");
        read("A whole number from 0 to");
        read("Enter what it asks, or remove the rule.");
        see("[aria-label='Remove rule 2']").sendKeys(Keys.ENTER);
        typeInto("[name='[0].pesAbove']", "4");
        press("What would change?");
        read("must be longer than zero");
        typeInto("[name='[0].leadBelow']", "30 d");
        typeInto("[name='policy.approval.approvers']", "nobody-%1$s, %1$s".formatted(approver));
        read("There is no account nobody-%s yet.".formatted(approver));
        typeInto("[name='policy.approval.approvers']", approver);
        press("Save");
        read("Saved.");
        assertThat(admin.get("/api/v1/clusters/" + cluster).body().at("/policy/approval"))
                .hasToString("""
                        {"rules":[{"pesAbove":4,"leadBelow":"P30D"}],"expires":"P2D","approvers":["%s"],"leadTime":"PT1H"}""".formatted(approver));

        visit(token, "book?pes=8&duration=1h&cluster=" + cluster);
        assertThat(priceOf("cannot begin at once").isEnabled()).isFalse();
        press("stays at this time");
        read("It needs the approval of the cluster's approvers.");
        press("Ask for approval");
        read("waits until");
        var made = client.get("/api/v1/reservations");
        assertThat(made.text("items.0.state")).isEqualTo("PENDING");
        var waiting = "/api/v1/reservations/" + made.text("items.0.id");
        visit(approverToken, "home");
        follow("1 to approve");
        press("Approve");
        waitUntil(() -> client.get(waiting).text("state").equals("CONFIRMED"));
        read("No reservation waits for your approval.");
        waitUntil(() -> displayed("header a[href*='tab=approve']").isEmpty());
    }

    @Test
    void anOfferThatIsRefusedIsAmongTheRefusedRequests() {
        var name = "limited%d".formatted(names.incrementAndGet());
        var limited = account(name, "CLIENT");
        admin.patch("/api/v1/accounts/" + name, "{\"limits\":{\"activeReservations\":0}}");
        visit(limited, "book?pes=8&duration=1h&cluster=" + cluster);

        press("stays at this time");

        waitUntil(() -> new Api(port, Optional.of(limited))
                .get("/api/v1/refusals")
                .text("items.0.code")
                .equals("limit-exceeded"));
    }

    /** A setting without a field could be changed only by a call. */
    @Test
    void everyRuleOfAClusterHasAField() {
        visit(ADMIN, "admin?tab=rules&find=%20&cluster=" + cluster);
        var fields = (String) browser.executeAsyncScript("""
                const done = arguments[0];
                import("/page/rules.js").then(({ RULES }) => done(RULES.map(({ name }) => name).join()))""");
        var rules = leaves("", admin.get("/api/v1/clusters/" + cluster).body())
                .filter(name -> !name.equals("id") && !name.equals("granule"))
                .toList();
        assertThat(fields.split(",")).hasSizeGreaterThan(40).containsAll(rules);
    }

    private static Stream<String> leaves(String above, JsonNode node) {
        return node.propertyStream()
                .flatMap(each -> each.getValue().isObject() && !each.getKey().equals("labels")
                        ? leaves(above + each.getKey() + ".", each.getValue())
                        : Stream.of(above + each.getKey()));
    }

    @Test
    void aClusterOfNodesIsMadeAsTheFormSays() {
        visit(ADMIN, "admin");
        press("New cluster");
        var made = "c%d".formatted(names.incrementAndGet());
        type("id", made);
        type("nodes", "4");
        type("each", "8");
        type("names", "hop[01-03]");
        type("price", "free");
        press("Make the cluster");
        read("These are 3 names, but there are 4 nodes.");
        read("An amount such as");
        type("names", "hop[01-04]");
        type("price", "1.76");
        read("%s will have 4 nodes, hop01 to hop04, of 8 GPUs: 32 GPUs in all.".formatted(made));
        press("Make the cluster");
        read(made + " is made.");
        var cluster = admin.get("/api/v1/clusters/" + made);
        assertThat(cluster.text("pes")).isEqualTo("32");
        assertThat(cluster.text("granule")).isEqualTo("8");
        assertThat(cluster.text("unit")).isEqualTo("GPU");
        assertThat(cluster.text("peNames")).isEqualTo("hop[01-04]");
        assertThat(cluster.text("tariff.pricePerPeHour")).isEqualTo("1.76");
        admin.patch("/api/v1/clusters/" + made, "{\"admission\":\"RETIRED\"}");
    }

    @Test
    void aMaintenanceRecursByASentenceOfChoices() {
        visit(ADMIN, "admin?tab=outages&new-maintenance=1&cluster=" + cluster);
        var form = "form:has([name=every]) ";
        type("what", "4");
        type("at", "25:00");
        see(form + "button:not([type])").click();
        read("A time of day such as 8:00");
        // a time that is past today does not count
        choose("[name=every]", "day");
        type("at", DateTimeFormatter.ofPattern("H:mm").withZone(ZoneOffset.UTC).format(Instant.now()));
        type("count", "2");
        see(form + "button:not([type])").click();
        read("2 windows: ");
        choose("[name=every]", "nth");
        type("at", "8:00");
        see(form + "button:not([type])").click();
        read("2 windows: Tue");
        var path = "/api/v1/clusters/%s/maintenances".formatted(cluster);
        assertThat(admin.get(path).body().get("items")).isEmpty();
        press("Make the maintenance");
        read("the first Tuesday of each month at 08:00");
        assertThat(admin.get(path).text("items.0.duration")).isEqualTo("PT4H");
    }

    @Test
    void whatAnotherAdministratorChangesMeanwhileStays() {
        var project = projectOf("MEMBER", "client%d".formatted(names.incrementAndGet()));
        var path = "/api/v1/projects/" + project;
        visit(ADMIN, "admin?tab=projects&project=" + project);
        read("Groups of the identity provider");
        admin.patch(path, """
                {"mode":"ENFORCE","groups":[{"group":"theirs","role":"VIEWER"}]}""");
        type("name", "Other models");
        press("Save");
        read("Other models");
        assertThat(admin.get(path).text("mode")).isEqualTo("ENFORCE");
        admin.patch(path, """
                {"groups":[{"group":"theirs","role":"MEMBER"}],"approval":{"rules":[{"pesAbove":9}]}}""");
        browser.executeScript("document.querySelectorAll('main details').forEach(each => each.open = true)");
        type("group", "mine");
        see("[name=group]").sendKeys(Keys.ENTER);
        waitUntil(() -> admin.get(path).body().get("groups").size() == 2);
        assertThat(admin.get(path).text("groups.1.role")).isEqualTo("MEMBER");
    }

    @Test
    void aProjectGetsAMemberAndAGrant() {
        visit(ADMIN, "admin?tab=projects");
        press("New project");
        var name = "Fusion %d".formatted(names.incrementAndGet());
        type("name", name);
        press("Create");
        var path = "/api/v1/projects/" + name.toLowerCase(Locale.ROOT).replace(' ', '-');
        read("It has no members yet.");
        type("account", "nobody");
        press("Add");
        read("Choose an account from the list.");
        type("account", owner);
        press("Add");
        waitUntil(() -> admin.get(path).text("members.0.account").equals(owner));
        type("amount", "5000");
        type("credit", "500");
        press("Grant it");
        read("5,500.00 EUR available");
        assertThat(admin.get(path + "/balance").text("creditLimit.amount")).isEqualTo("500.00");
    }

    @Test
    void aProjectGetsAGroupWhosePeopleAreMembers() {
        var id = "plasma-" + names.incrementAndGet();
        admin.post("/api/v1/projects", """
                {"id":"%s","name":"Plasma"}""".formatted(id));
        var path = "/api/v1/projects/" + id;
        visit(ADMIN, "admin?tab=projects&project=" + id);
        see("details:has(input[name=group]) summary").click();
        press("Add the group");
        read("Enter the group as its tokens name it.");
        type("group", "/hpc/plasma");
        press("Add the group");
        waitUntil(() -> admin.get(path).text("groups.0.group").equals("/hpc/plasma"));
        type("group", "/hpc/plasma");
        press("Add the group");
        read("It is in the list already.");
        assertThat(admin.get(path).body().get("groups")).hasSize(1);
    }

    @Test
    void aClientTriesASeriesAndBooksIt() {
        visit(token, "series?new&cluster=" + cluster);
        type("pes", "2");
        type("count", "3");
        press("Try it");
        read("3 would be booked for");
        assertThat(client.get("/api/v1/series").body().get("items")).isEmpty();
        // what was tried is no longer what the form says
        press("Thu");
        waitUntil(() -> displayed("table").isEmpty());
        press("Thu");
        press("Try it");
        read("3 would be booked for");
        press("Book the series");
        read("all decided");
        assertThat(client.get("/api/v1/series").text("items.0.recurrence.rrule"))
                .isEqualTo("FREQ=WEEKLY;BYDAY=TU");
    }

    @Test
    void offersAndTablesArePrintedInLightColours() {
        visit(token, "book?pes=2&duration=1h&cluster=" + cluster);
        see(".offer button");
        cdp(
                "Emulation.setEmulatedMedia",
                Map.of("media", "print", "features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        assertThat(see(".offer button").isDisplayed()).isTrue();
        assertThat(displayed("header")).isEmpty();
        assertThat(see(".offer button").getCssValue("background-color")).isEqualTo("rgba(255, 255, 255, 1)");
    }

    @Test
    void thePageDoesNotRetryARejectedStreamForever() {
        visit(token, "mine");
        var asked = browser.executeAsyncScript("""
                const done = arguments[0];
                const real = window.fetch;
                let asked = 0;
                window.fetch = async (address) => String(address).includes("gone") ? (asked++, new Response("", {status: 404})) : real(address);
                import("/page/stream.js").then(({ follow }) => {
                  follow({ ready: async () => 0, turn: () => 0, adopt: async () => {}, end: () => {} }, "/gone", { onEvent() {} });
                  setTimeout(() => done(asked), 4000);
                });
                """);
        assertThat(asked).isEqualTo(1L);
    }

    @Test
    void anOfferLiesInTheRowOfItsSize() {
        visit(token, "mine");
        var rows = browser.executeAsyncScript("""
                const done = arguments[0];
                const rows = [128, 64, 32, 16].map((pes) => ({ pes, starts: [], prices: [] }));
                import("/page/book-map.js").then(({ rowOf }) => done([48, 64, 65, 1, 200].map((pes) => rowOf(rows, pes)).join()));
                """);
        assertThat(rows).isEqualTo("1,1,0,3,0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<img src=x onerror=alert(1)>", "\u202egnorw", "LONG"})
    void aHostileNameIsShownAsText(String kind) {
        var name = kind.equals("LONG") ? "x".repeat(200) : kind;
        var body = JsonMapper.shared()
                .createObjectNode()
                .put("cluster", cluster)
                .put("name", name)
                .put("project", name);
        var project = "p%d".formatted(names.incrementAndGet());
        admin.post(
                "/api/v1/projects",
                JsonMapper.shared()
                        .createObjectNode()
                        .put("id", project)
                        .put("name", name)
                        .toString());
        admin.put("/api/v1/projects/%s/members/%s".formatted(project, owner), "{\"role\":\"OWNER\"}");
        body.putObject("terms")
                .put("readyTime", in(Duration.ofHours(2)))
                .put("duration", "PT1H")
                .put("pes", 1);
        var id = client.post("/api/v1/reservations", body.toString()).text("id");
        onAPhone();
        for (var view : List.of("reservations", "projects?id=" + project, "reservation?id=" + id)) {
            visit(token, view);
            staysText(name, view);
        }
        assertThat(see("h1").getDomProperty("textContent")).isEqualTo(name);
        for (var view : List.of("timeline?cluster=" + cluster, "wall")) {
            visit(ADMIN, view);
            staysText(view.equals("wall") ? "PEs free now" : name, view);
        }
    }

    private static void staysText(String name, String view) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(view)
                .until(_ -> String.valueOf(browser.executeScript("return document.querySelector('main').textContent"))
                        .contains(name));
        assertThat(browser.findElements(By.tagName("img"))).as(view).isEmpty();
        assertThat(
                        browser.executeScript(
                                "return [...document.querySelectorAll('main *')].filter(each =>"
                                        + " each.children.length === 0 && each.textContent.includes('\\u202e') && !each.closest('bdi, option')).length"))
                .as("%s: what turns the direction is kept apart", view)
                .isEqualTo(0L);
        isNotTooWide(view);
    }

    private static void isNotTooWide(String view) {
        assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
                .as("%s fits the screen", view)
                .isEqualTo(true);
    }

    @Test
    void theLongestAccountNameFitsAPhone() {
        var name = "operator%d".formatted(names.incrementAndGet()) + "x".repeat(50);
        account(name, "VIEWER");
        onAPhone();
        visit(ADMIN, "admin?tab=accounts&accounts-search=" + name);
        read(name);
        isNotTooWide("accounts");
        see("[aria-label='More for %s']".formatted(name)).click();
        press("Delete");
        isNotTooWide("the question whether an account is to be deleted");
        see("dialog button:not(.harm)").click();
    }

    @ParameterizedTest
    @CsvSource({"light, desk", "dark, desk", "light, phone", "dark, phone"})
    void everyViewIsAccessible(String scheme, String screen) throws IOException {
        admin.patch("/api/v1/clusters/" + cluster, """
                {"policy":{"visibility":"BUSY","approval":{"rules":[{"durationAbove":"PT1H"}]}}}""");
        booked("""
                {"readyTime":"%s","duration":"PT2H","pes":1}""".formatted(in(Duration.ofHours(200))));
        var mine = booked("{\"duration\":\"PT1H\",\"pes\":1}");
        var later = booked("later", """
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":4}""".formatted(in(Duration.ofHours(25)), in(Duration.ofHours(26))));
        client.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"readyTime":"%s","duration":"PT1H","pes":1},"hold":"PT5M"}""".formatted(cluster, in(Duration.ofHours(2))));
        admin.post("/api/v1/clusters/%s/jobs".formatted(cluster), """
                {"name":"sweep","pes":2,"estimate":"PT2H"}""");
        admin.post("/api/v1/clusters/%s/outages".formatted(cluster), """
                {"pes":1,"from":"%s","to":"%s","reason":"rack 3"}""".formatted(
                        in(Duration.ofHours(5)), in(Duration.ofHours(6))));
        cdp(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        if (screen.equals("phone")) {
            onAPhone();
        }
        var series = client.post("/api/v1/series", """
                {"cluster":"%s","name":"nights","terms":{"duration":"PT1H","pes":6},"count":40,"onConflict":"ANY",
                 "recurrence":{"rrule":"FREQ=DAILY","dtstart":"%s","zone":"UTC"}}""".formatted(
                                cluster, in(Duration.ofHours(72)).replace("Z", "")))
                .text("id");
        var project = projectOf("VIEWER", "client%d".formatted(names.incrementAndGet()));
        grant(project, "too-little", "0.10");
        admin.patch("/api/v1/projects/" + project, """
                {"approval":{"rules":[{"priceAbove":"100.00","serviceClass":"PREMIUM"}]}}""");
        visit("", "mine");
        isOpen("sign in");
        visit("", "mail?off=x");
        isOpen("a link in a mail");
        var plan = "timeline?cluster=" + cluster;
        for (var view : List.of(
                "book?cluster=" + cluster,
                "home",
                "reservations?tab=running",
                "reservations?tab=next",
                "reservations?tab=waiting",
                "reservations?tab=ended",
                "reservations?tab=refused",
                "reservations?tab=week",
                "reservation?id=" + mine,
                "reservation?id=" + later,
                "series?id=" + series,
                "projects?id=" + project,
                "mail",
                plan)) {
            visit(token, view);
            isOpen(view);
        }
        grant(
                project,
                "hardly-enough",
                client.get("/api/v1/projects/%s/balance".formatted(project)).text("held.amount"));
        visit(token, "projects?id=" + project);
        see(".budget.low");
        isOpen("a project that has spent most of its budget");
        var viewer = account("viewer%d".formatted(names.incrementAndGet()), "VIEWER");
        for (var view : List.of(plan, "reports?period=today", "reports?tab=refusals", "wall")) {
            visit(viewer, view);
            isOpen("%s of a viewer".formatted(view));
        }
        for (var view : List.of(
                "reservations?tab=next",
                "reservations?tab=approve",
                "projects?id=" + project,
                "admin?new-cluster=1",
                "admin?tab=rules&group=access&cluster=" + cluster,
                "admin?tab=rules&group=price&cluster=" + cluster,
                "admin?tab=accounts&account=" + owner,
                "admin?tab=projects&project=" + project,
                "admin?tab=outages&new-maintenance=1&cluster=" + cluster,
                "admin?tab=webhooks&new-webhook=1",
                "admin?tab=room",
                "admin?tab=instances",
                "series?new&cluster=" + cluster,
                "wall",
                plan)) {
            visit(ADMIN, view);
            isOpen(view);
        }
        if (screen.equals("phone")) {
            see("button.card").click();
        } else {
            see("canvas[tabindex]").sendKeys(Keys.ARROW_RIGHT, Keys.ENTER);
        }
        see("aside.beside");
        isOpen("the details of a bar");
        see("aside.beside [aria-label=Close]").click();
        press("Plan an outage");
        see("[name=outage-when][value=at]").click();
        type("outage-pes", "7");
        type("outage-duration", "30h");
        press("What would happen?");
        read("1 would fail");
        isOpen("a dry run");
        press("Make the outage");
        read("out of service?");
        isOpen("a question");
        see("dialog button:not(.harm)").click();
    }

    @Test
    void aPersonProvesAnAddressByTheLinkThatIsSentThereWithoutSigningIn() throws Exception {
        var address = owner + "@example.org";
        visit(token, "home");
        see("header a[title=E-mail]").click();
        type("address", "nobody");
        press("Save");
        read("must be one mail address");
        type("address", address);
        see("[name=CONFIRMED]").click();
        press("Save");
        read("A link was sent to " + address);
        waitUntil(() -> mail.of(address).size() == 1);
        var link = mail.of(address).getFirst();
        var text =
                ((MimeMultipart) link.getContent()).getBodyPart(0).getContent().toString();

        visit("", text.replaceAll("(?s).*/#/(mail\\?proof=[A-Za-z0-9_-]+).*", "$1"));
        press("Use this address");
        read("Mail for %s now goes to %s.".formatted(owner, address));

        visit(token, "mail");
        waitUntil(() -> see("[name=CONFIRMED]").isSelected());
        assertThat(said()).doesNotContain("A link was sent");
    }

    private void isOpen(String view) throws IOException {
        assertThat(violations()).as(view).isEmpty();
        isNotTooWide(view);
    }

    /** The findings of axe-core, once the page has loaded its data. */
    private List<String> violations() throws IOException {
        waitUntil(() -> !said().contains("Looking …"));
        pause(Duration.ofMillis(500));
        try (var script = PageIT.class.getResourceAsStream("/axe.min.js")) {
            browser.executeScript(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
        var found = (String) browser.executeAsyncScript(
                "const done = arguments[0]; axe.run().then(found => done(JSON.stringify(found.violations)))");
        return JsonMapper.shared()
                .readTree(found)
                .valueStream()
                .map(each -> "%s: %s".formatted(each.path("id").asString(), nodes(each)))
                .toList();
    }

    private static String nodes(JsonNode violation) {
        return String.join(
                ", ",
                violation
                        .path("nodes")
                        .valueStream()
                        .map(node -> node.path("html").asString())
                        .toList());
    }
}
