package berth.lab.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A chart of lines for a browser or a document.
 *
 * @param title the heading
 * @param across the label of the horizontal axis
 * @param upwards the label of the vertical axis
 * @param ticks the ticks of the horizontal axis from left to right, at least one; lines lie between the first and the last
 * @param lines at least one line, with at least one point in total
 */
public record LineChart(String title, String across, String upwards, List<Tick> ticks, List<Line> lines) {
    private static final double WIDTH = 760;
    private static final double HEIGHT = 400;
    private static final double LEFT = 80;
    private static final double RIGHT = 560;
    private static final double TOP = 40;
    private static final double BOTTOM = 340;
    private static final int STEPS = 5;
    private static final double LINE_HEIGHT = 18;
    private static final int COLOURS = 8;
    private static final double MARK = 2.4;
    private static final double WHISKER = 3;

    /** Colours by {@code prefers-color-scheme}; print uses the light scheme. All are visible on their background. */
    static final String STYLE = """
            .chart{font:12px sans-serif;--g:#ddd;--t:#222;--b:#fff;--c0:#1b6ca8;--c1:#c2452d;--c2:#2f8f4e;--c3:#8a5aa8;\
            --c4:#a06a00;--c5:#3f3f3f;--c6:#00818a;--c7:#b0307a}
            @media screen and (prefers-color-scheme:dark){.chart{--g:#3a3f44;--t:#dde1e4;--b:#15181b;--c0:#6cb4ee;\
            --c1:#ff8f78;--c2:#6fd08c;--c3:#c9a0e6;--c4:#e3b34c;--c5:#c8c8c8;--c6:#4fd0d8;--c7:#f08ac2}}
            .chart text{fill:var(--t)}""";

    /** A tick on the horizontal axis. */
    public record Tick(double at, String label) {}

    /**
     * A point of a line.
     *
     * @param halfWidth the half width of the interval around {@code y}; no interval is drawn if it is 0 or not finite
     */
    public record Point(double x, double y, double halfWidth) {

        /** Creates a point without an interval. */
        public Point(double x, double y) {
            this(x, y, 0);
        }

        private boolean hasInterval() {
            return Double.isFinite(halfWidth) && halfWidth > 0;
        }
    }

    /**
     * A line.
     *
     * @param name the name in the legend
     * @param colour the number of its colour; there are eight, which repeat as dashed lines
     * @param isDashed whether it is dashed
     * @param points the points in order; points whose {@code y} is not finite are left out
     */
    public record Line(String name, int colour, boolean isDashed, List<Point> points) {
        public Line {
            points = points.stream().filter(point -> Double.isFinite(point.y())).toList();
        }
    }

    public LineChart {
        ticks = List.copyOf(ticks);
        lines = List.copyOf(lines);
    }

    /** Returns ticks at 0, 1, 2 and so on. */
    public static List<Tick> named(List<String> labels) {
        List<Tick> ticks = new ArrayList<>();
        labels.forEach(label -> ticks.add(new Tick(ticks.size(), label)));
        return ticks;
    }

    /** Returns a line through estimates at 0, 1, 2 and so on, with their intervals. */
    public static Line line(String name, int colour, boolean isDashed, List<Estimate> values) {
        List<Point> points = new ArrayList<>();
        values.forEach(value -> points.add(new Point(points.size(), value.mean(), value.halfWidth())));
        return new Line(name, colour, isDashed, points);
    }

    /** Returns the chart as an SVG file. */
    public List<String> svg() {
        List<String> svg = drawing();
        svg.add(1, "<style>\n%s\n</style>".formatted(STYLE));
        return svg;
    }

    /** Returns the chart as part of a page that has {@link #STYLE}. */
    List<String> drawing() {
        List<String> svg = new ArrayList<>();
        svg.add(format(
                "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\""
                        + " aria-label=\"%s\">",
                WIDTH, height(), escaped(title)));
        svg.add("<rect width=\"100%\" height=\"100%\" style=\"fill:var(--b)\"/>");
        svg.add(text(LEFT, TOP - 18, "start", title));
        svg.add(text((LEFT + RIGHT) / 2, BOTTOM + 42, "middle", across));
        svg.add(format(
                "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + BOTTOM) / 2, escaped(upwards)));
        Scale scale = Scale.of(lines);
        scale.steps().forEach(value -> {
            svg.add(stroke(LEFT, scale.y(value), RIGHT, scale.y(value), "style=\"stroke:var(--g)\""));
            svg.add(text(LEFT - 6, scale.y(value) + 4, "end", label(value)));
        });
        ticks.forEach(tick -> svg.add(text(x(tick.at()), BOTTOM + 18, "middle", tick.label())));
        for (int i = 0; i < lines.size(); i++) {
            svg.addAll(drawn(lines.get(i), scale));
            svg.addAll(inLegend(lines.get(i), TOP + LINE_HEIGHT * i));
        }
        svg.add("</svg>");
        return svg;
    }

    /** Returns the height, which depends on the legend. */
    private double height() {
        return Math.max(HEIGHT, TOP + LINE_HEIGHT * lines.size());
    }

    /** The vertical axis, with round steps from the least to the greatest value, and to 0 if that is close. */
    private record Scale(double from, double step, int count) {
        static Scale of(List<Line> lines) {
            List<Point> points =
                    lines.stream().flatMap(line -> line.points().stream()).toList();
            double least = ends(points, -1).min().orElse(0);
            double most = ends(points, 1).max().orElse(1);
            double bottom = least > (most - least) ? least : Math.min(0, least);
            double top = most < least - most ? most : Math.max(0, most);
            double step = round((top - bottom) / STEPS);
            double from = Math.floor(bottom / step) * step;
            return new Scale(from, step, Math.max(1, (int) Math.ceil((top - from) / step)));
        }

        private static DoubleStream ends(List<Point> points, int sign) {
            return points.stream()
                    .mapToDouble(point -> point.y() + (point.hasInterval() ? sign * point.halfWidth() : 0));
        }

        /** Rounds up to 1, 2 or 5 times a power of ten; 1 for zero. */
        private static double round(double value) {
            if (value <= 0) {
                return 1;
            }
            double power = Math.pow(10, Math.floor(Math.log10(value)));
            return DoubleStream.of(1, 2, 5, 10)
                    .map(times -> times * power)
                    .filter(step -> step >= value * (1 - 1e-9))
                    .findFirst()
                    .orElse(10 * power);
        }

        List<Double> steps() {
            return Stream.iterate(0, i -> i <= count, i -> i + 1)
                    .map(i -> from + i * step)
                    .toList();
        }

        double y(double value) {
            return BOTTOM - (value - from) / (count * step) * (BOTTOM - TOP);
        }
    }

    /** Returns the horizontal position of a value; a single position is in the middle. */
    private double x(double value) {
        double first = ticks.getFirst().at();
        double width = ticks.getLast().at() - first;
        return width == 0 ? (LEFT + RIGHT) / 2 : LEFT + (value - first) / width * (RIGHT - LEFT);
    }

    private List<String> drawn(Line line, Scale scale) {
        List<String> svg = new ArrayList<>();
        svg.add(format(
                "<polyline points=\"%s\" fill=\"none\" %s/>",
                line.points().stream()
                        .map(point -> format("%.1f,%.1f", x(point.x()), scale.y(point.y())))
                        .collect(Collectors.joining(" ")),
                pen(line)));
        for (Point point : line.points()) {
            if (point.hasInterval()) {
                svg.addAll(whiskers(line, x(point.x()), scale, point));
            }
        }
        return svg;
    }

    private static List<String> whiskers(Line line, double x, Scale scale, Point point) {
        double low = scale.y(point.y() - point.halfWidth());
        double high = scale.y(point.y() + point.halfWidth());
        String thin = "style=\"stroke:%s\"".formatted(colour(line));
        return List.of(
                stroke(x, low, x, high, thin),
                stroke(x - WHISKER, low, x + WHISKER, low, thin),
                stroke(x - WHISKER, high, x + WHISKER, high, thin),
                format(
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" style=\"fill:%s\"/>",
                        x, scale.y(point.y()), MARK, colour(line)));
    }

    private static List<String> inLegend(Line line, double y) {
        return List.of(stroke(RIGHT + 14, y, RIGHT + 40, y, pen(line)), text(RIGHT + 46, y + 4, "start", line.name()));
    }

    private static String stroke(double x1, double y1, double x2, double y2, String pen) {
        return format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, pen);
    }

    private static String pen(Line line) {
        boolean isBroken = line.isDashed() || line.colour() >= COLOURS;
        return format(
                "style=\"stroke:%s\" stroke-width=\"1.6\"%s",
                colour(line), isBroken ? " stroke-dasharray=\"5 3\"" : "");
    }

    private static String colour(Line line) {
        return "var(--c%d)".formatted(line.colour() % COLOURS);
    }

    private static String text(double x, double y, String anchor, String content) {
        return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(content));
    }

    private static String label(double value) {
        return format("%.6f", value).replaceFirst("\\.?0+$", "");
    }

    private static String escaped(String content) {
        return content.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
