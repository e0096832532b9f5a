package berth.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import berth.Service;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The page in a real browser, by a service whose clock goes on. Where there is no Chromium with its driver it is skipped, but for
 * {@code -Pbrowser}.
 */
@SpringBootTest(classes = Service.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
class PageIT {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final String ADMIN = "administrator-for-the-page";
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final AtomicInteger names = new AtomicInteger();

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

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry registry) {
        registry.add("berth.data-dir", () -> directory.toString());
        registry.add("berth.admin-token", () -> ADMIN);
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
        var name = "client%d".formatted(names.incrementAndGet());
        token = admin.post("/api/v1/accounts", """
                {"name":"%s","role":"CLIENT"}""".formatted(name)).text("token");
        client = new Api(port, Optional.of(token));
    }

    @AfterEach
    void nothingWasKeptFromLoading() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .noneMatch(entry -> entry.getMessage().contains("Content Security Policy")
                        || entry.getMessage().contains("Uncaught"));
    }

    private void visit(String who, String view) {
        browser.get("http://localhost:%d/page/style.css".formatted(port));
        browser.executeScript("sessionStorage.setItem('berth.token', arguments[0])", who);
        browser.get("http://localhost:%d/#/%s".formatted(port, view));
        see("h1");
    }

    private WebElement see(String selector) {
        new WebDriverWait(browser, PATIENCE)
                .ignoring(StaleElementReferenceException.class)
                .until(_ -> displayed(selector).isPresent());
        return displayed(selector).orElseThrow();
    }

    private static Optional<WebElement> displayed(String selector) {
        return browser.findElements(By.cssSelector(selector)).stream()
                .filter(WebElement::isDisplayed)
                .findFirst();
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

    /** Presses the button of that name, once it can be pressed: the page may be making it anew. */
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

    private void type(String field, String value) {
        var input = see("[name=%s]".formatted(field));
        input.clear();
        input.sendKeys(value, Keys.TAB);
    }

    private static String in(Duration time) {
        return Instant.now().plus(time).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private String booked(String terms) {
        var reply = client.post("/api/v1/reservations", """
                {"cluster":"%s","terms":%s}""".formatted(cluster, terms));
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(201);
        return reply.text("id");
    }

    /** However far it goes: the map is drawn anew when the hand rests, and not under it. */
    @Test
    void theWindowIsDraggedOverTheMap() {
        visit(token, "find?pes=2&duration=1h&cluster=" + cluster);
        var map = see("canvas");
        read("Take it now");
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
        assertThat(Duration.between(LocalDateTime.parse(after), LocalDateTime.parse(before)))
                .isBetween(Duration.ofHours(24), Duration.ofHours(32));
        new Actions(browser).release().perform();
    }

    @Test
    void whoHasNoTokenSignsInAndOut() {
        browser.get("http://localhost:%d/".formatted(port));
        browser.executeScript("sessionStorage.clear()");
        browser.get("http://localhost:%d/#/mine".formatted(port));
        browser.navigate().refresh();
        see("input[type=password]").sendKeys("berth_not-a-token", Keys.ENTER);
        read("does not know this token");
        var input = see("input[type=password]");
        input.clear();
        input.sendKeys(token, Keys.ENTER);
        read("You have nothing reserved");
        press("Sign out");
        read("You are signed out");
        assertThat(browser.executeScript("return sessionStorage.getItem('berth.token')"))
                .isNull();
    }

    @Test
    void aSlotIsFoundHeldAndConfirmed() {
        var start = Instant.now().plus(Duration.ofHours(2)).toEpochMilli();
        visit(token, "find?pes=4&duration=1h&from=%d&cluster=%s".formatted(start, cluster));
        press("Hold for five minutes");
        read("You have");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isEqualTo("HELD");
        press("Confirm");
        read("Booked.");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isIn("CONFIRMED", "RUNNING");
    }

    @Test
    void whatBeginsAtOnceIsBookedAtTheSecondClick() {
        visit(token, "find?pes=4&duration=1h&cluster=" + cluster);
        press("Take it now");
        read("It begins at once");
        press("Confirm");
        read("Booked.");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isIn("CONFIRMED", "RUNNING");
    }

    @Test
    void whoIsRefusedTakesWhatWouldFit() {
        admin.post("/api/v1/reservations", """
                {"cluster":"%s","terms":{"duration":"PT6H","pes":8,"deadline":"%s"}}""".formatted(cluster, in(Duration.ofHours(6))));
        var end = Instant.now().plus(Duration.ofHours(3)).toEpochMilli();
        visit(token, "find?pes=4&duration=1h&to=%d&cluster=%s".formatted(end, cluster));
        press("Finish by");
        press("Hold for five minutes");
        read("You have");
        assertThat(client.get("/api/v1/reservations").text("items.0.state")).isEqualTo("HELD");
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
    }

    @Test
    void otherTermsAreAgreedBySlider() {
        var mine = booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":2}""".formatted(in(Duration.ofHours(2)), in(Duration.ofHours(4))));
        var before = client.get("/api/v1/reservations/" + mine).text("price.amount");
        visit(token, "reservation?id=" + mine);
        var slider = see("[name=flexibility]");
        slider.sendKeys(Keys.END);
        read("instead of " + before);
        press("Agree to these terms");
        new WebDriverWait(browser, PATIENCE)
                .until(_ -> !client.get("/api/v1/reservations/" + mine)
                        .text("price.amount")
                        .equals(before));
        assertThat(client.get("/api/v1/reservations/" + mine).text("price.amount"))
                .isLessThan(before);
    }

    @Test
    void aMaintenanceIsTriedAndThenMade() {
        var start = in(Duration.ofHours(24));
        booked("""
                {"readyTime":"%s","deadline":"%s","duration":"PT1H","pes":8}""".formatted(start, in(Duration.ofHours(25))));
        visit(ADMIN, "plan?cluster=" + cluster);
        new Select(see("[name=outage-cluster]")).selectByValue(cluster);
        type("outage-pes", "8");
        type("outage-duration", "26h");
        var outages = "/api/v1/clusters/%s/outages".formatted(cluster);
        press("What would happen?");
        read("1 would fail");
        assertThat(admin.get(outages).body().get("items")).isEmpty();
        type("outage-duration", "2h");
        press("When would it harm least?");
        press("0 moved, 0 failed");
        read("Nobody would be moved");
        press("Make the outage");
        read("The outage is recorded.");
        assertThat(admin.get(outages).body().get("items")).hasSize(1);
    }

    @Test
    void thePlanShowsWhatOthersDoAsTheyDoIt() {
        visit(ADMIN, "plan?cluster=" + cluster);
        read("Live");
        browser.executeScript("document.querySelector('details.list').open = true");
        booked("{\"duration\":\"PT1H\",\"pes\":3}");
        new WebDriverWait(browser, PATIENCE)
                .until(page -> !page.findElements(By.cssSelector("details.list tbody tr"))
                        .isEmpty());
        assertThat(see("details.list tbody").getText()).contains("running", "3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<img src=x onerror=alert(1)>", "\u202egnorw", "LONG"})
    void aHostileNameStaysText(String kind) {
        var name = kind.equals("LONG") ? "x".repeat(200) : kind;
        var body =
                JsonMapper.shared().createObjectNode().put("cluster", cluster).put("name", name);
        body.putObject("terms").put("duration", "PT1H").put("pes", 1);
        var id = client.post("/api/v1/reservations", body.toString()).text("id");
        visit(token, "mine");
        new WebDriverWait(browser, PATIENCE).until(_ -> see("main").getText().contains(name.substring(0, 5)));
        assertThat(browser.findElements(By.tagName("img"))).isEmpty();
        visit(token, "reservation?id=" + id);
        new WebDriverWait(browser, PATIENCE).until(_ -> name.equals(see("h1").getDomProperty("textContent")));
        assertThat(browser.executeScript("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void everyViewIsOpenToEverybody(String scheme) throws IOException {
        var mine = booked("{\"duration\":\"PT1H\",\"pes\":1}");
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        visit("", "mine");
        assertThat(violations()).as("sign in, %s", scheme).isEmpty();
        for (var view : List.of("find", "mine", "reservation?id=" + mine)) {
            visit(token, view);
            assertThat(violations()).as("%s, %s", view, scheme).isEmpty();
        }
        for (var size : List.of(new Dimension(1280, 1000), new Dimension(520, 900))) {
            browser.manage().window().setSize(size);
            for (var view : List.of(
                    "plan?cluster=" + cluster, "run", "run?tab=accounts", "run?tab=outages", "run?tab=room", "wall")) {
                visit(ADMIN, view);
                assertThat(violations()).as("%s, %s, %s", view, scheme, size).isEmpty();
            }
        }
        browser.manage().window().setSize(new Dimension(1280, 1000));
    }

    /** What axe-core finds, once the page has read what it shows. */
    private List<String> violations() throws IOException {
        new WebDriverWait(browser, PATIENCE).until(_ -> !said().contains("Looking …"));
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

    @Test
    void thePageIsSmall() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(Path.of("src/main/resources/static"))) {
            for (var file : files.filter(Files::isRegularFile)
                    .filter(file -> !file.toString().endsWith(".txt") && !file.endsWith("SHA256SUMS"))
                    .toList()) {
                bytes += compressed(Files.readAllBytes(file));
            }
        }
        System.out.printf(Locale.ROOT, "PageIT: all of the page is %.1f kB compressed%n", bytes / 1000.0);
        assertThat(bytes).isLessThan(120_000);
    }

    private static int compressed(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.size();
    }
}
