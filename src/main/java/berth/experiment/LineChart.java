package berth.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * A chart of some lines, to be looked at in a browser or beside a text.
 *
 * @param title above it
 * @param across what the horizontal axis shows
 * @param upwards what the vertical axis shows
 * @param ticks of the horizontal axis, at least two at different places; lines lie within the first and the last
 * @param lines at least one, of which at least one has a point
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
    private static final List<String> COLOURS =
            List.of("#1b6ca8", "#c2452d", "#2f8f4e", "#8a5aa8", "#b07d12", "#3f3f3f");

    /** A place on the horizontal axis. */
    public record Tick(double at, String label) {}

    /** A point of a line. */
    public record Point(double x, double y) {}

    /**
     * A line.
     *
     * @param name in the legend
     * @param colour number of its colour
     * @param isDashed whether it is broken
     * @param points in the order in which it goes through them; what is no number is left out
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

    /** Ticks at 0, 1, 2 and so on. */
    public static List<Tick> named(List<String> labels) {
        List<Tick> ticks = new ArrayList<>();
        labels.forEach(label -> ticks.add(new Tick(ticks.size(), label)));
        return ticks;
    }

    /** A line through values at 0, 1, 2 and so on. */
    public static Line line(String name, int colour, boolean isDashed, List<Double> values) {
        List<Point> points = new ArrayList<>();
        values.forEach(value -> points.add(new Point(points.size(), value)));
        return new Line(name, colour, isDashed, points);
    }

    /** As Scalable Vector Graphics. */
    public List<String> svg() {
        List<String> svg = new ArrayList<>();
        svg.add(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\""
                        + " font-size=\"12\">",
                WIDTH, HEIGHT));
        svg.add("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>");
        svg.add(text(LEFT, TOP - 18, "start", title));
        svg.add(text((LEFT + RIGHT) / 2, BOTTOM + 42, "middle", across));
        svg.add(format(
                "<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">%s</text>",
                (TOP + BOTTOM) / 2, escaped(upwards)));
        Scale scale = Scale.of(lines);
        scale.steps().forEach(value -> {
            svg.add(format(
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>",
                    LEFT, scale.y(value), RIGHT, scale.y(value)));
            svg.add(text(LEFT - 6, scale.y(value) + 4, "end", label(value)));
        });
        ticks.forEach(tick -> svg.add(text(x(tick.at()), BOTTOM + 18, "middle", tick.label())));
        for (int i = 0; i < lines.size(); i++) {
            svg.add(drawn(lines.get(i), scale));
            svg.addAll(inLegend(lines.get(i), TOP + LINE_HEIGHT * i));
        }
        svg.add("</svg>");
        return svg;
    }

    /** The vertical axis: round steps that reach from the least to the greatest value and to 0. */
    private record Scale(double from, double step, int count) {
        static Scale of(List<Line> lines) {
            double[] values = lines.stream()
                    .flatMap(line -> line.points().stream())
                    .mapToDouble(Point::y)
                    .toArray();
            double least = Math.min(0, DoubleStream.of(values).min().orElse(0));
            double most = Math.max(0, DoubleStream.of(values).max().orElse(1));
            double step = round((most - least) / STEPS);
            double from = Math.floor(least / step) * step;
            return new Scale(from, step, (int) Math.ceil((most - from) / step));
        }

        /** The next number up of 1, 2 or 5 times a power of ten; 1 for nothing. */
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

    private double x(double value) {
        double first = ticks.getFirst().at();
        return LEFT + (value - first) / (ticks.getLast().at() - first) * (RIGHT - LEFT);
    }

    private String drawn(Line line, Scale scale) {
        return format(
                "<polyline points=\"%s\" fill=\"none\" %s/>",
                line.points().stream()
                        .map(point -> format("%.1f,%.1f", x(point.x()), scale.y(point.y())))
                        .collect(Collectors.joining(" ")),
                stroke(line));
    }

    private static List<String> inLegend(Line line, double y) {
        return List.of(
                format(
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>",
                        RIGHT + 14, y, RIGHT + 40, y, stroke(line)),
                text(RIGHT + 46, y + 4, "start", line.name()));
    }

    private static String stroke(Line line) {
        return format(
                "stroke=\"%s\" stroke-width=\"1.6\"%s",
                COLOURS.get(line.colour() % COLOURS.size()), line.isDashed() ? " stroke-dasharray=\"5 3\"" : "");
    }

    private static String text(double x, double y, String anchor, String content) {
        return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(content));
    }

    private static String label(double value) {
        return format("%.6f", value).replaceFirst("\\.?0+$", "");
    }

    private static String escaped(String content) {
        return content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}
