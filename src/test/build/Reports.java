import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Reads the reports of the tests that the last build ran. {@code java Reports.java failed SINCE PROFILE} prints each test that has failed
 * since an instant, in milliseconds, with the command that runs it alone. {@code java Reports.java slowest} prints the ten slowest classes.
 * Runs on the Java of Maven, 17 or later.
 */
class Reports {

    private static final Path TARGET = Path.of("target");

    /** A report of a test class. */
    private record Report(Element root, boolean isOfIntegrationTests) {

        double seconds() {
            return Double.parseDouble(root.getAttribute("time"));
        }

        Stream<Element> failures() {
            return elements(root.getElementsByTagName("testcase"))
                    .filter(test -> elements(test.getElementsByTagName("*"))
                            .anyMatch(part -> List.of("failure", "error").contains(part.getTagName())));
        }
    }

    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("failed")) {
            printFailed(Long.parseLong(arguments[1]), arguments.length > 2 ? arguments[2] + " " : "");
        } else {
            printSlowest();
        }
    }

    private static void printFailed(long since, String profile) throws IOException {
        var lines = new ArrayList<String>();
        for (var report : reports(since)) {
            report.failures().forEach(test -> {
                var type = test.getAttribute("classname").replaceAll(".*\\.", "");
                // a failure of @BeforeAll has no method, and that of a parameterized test has arguments
                var method = test.getAttribute("name").replaceAll("[^A-Za-z0-9_].*", "");
                var selected = type + (method.isEmpty() || method.equals(type) ? "" : "#" + method);
                lines.add("  mvn " + profile
                        + (report.isOfIntegrationTests() ? "verify -Dtest=none -Dit.test=" : "test -Dtest=")
                        + selected);
            });
        }
        if (!lines.isEmpty()) {
            System.out.printf("%nFailed; each line runs one of them alone:%n");
            lines.stream().distinct().forEach(System.out::println);
        }
    }

    private static void printSlowest() throws IOException {
        System.out.println("The ten slowest test classes, in seconds:");
        reports(0).stream()
                .sorted(Comparator.comparing(Report::seconds).reversed())
                .limit(10)
                .forEach(report -> System.out.printf("%8.1f  %s%n", report.seconds(), report.root().getAttribute("name")));
    }

    private static List<Report> reports(long since) throws IOException {
        var reports = new ArrayList<Report>();
        for (var directory : List.of("surefire-reports", "failsafe-reports")) {
            if (!Files.isDirectory(TARGET.resolve(directory))) {
                continue;
            }
            try (var files = Files.list(TARGET.resolve(directory))) {
                files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                        .filter(file -> file.toFile().lastModified() >= since)
                        .sorted()
                        .forEach(file -> reports.add(new Report(root(file), directory.startsWith("failsafe"))));
            }
        }
        return reports;
    }

    private static Element root(Path file) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    private static Stream<Element> elements(NodeList nodes) {
        return java.util.stream.IntStream.range(0, nodes.getLength()).mapToObj(at -> (Element) nodes.item(at));
    }
}
