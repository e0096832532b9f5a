package berth.lab.workload;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * The output of Slurm's {@code sacct --parsable2}: a heading with the names of the columns and a row for each job, with {@code |} between
 * the fields. Columns can be in any order; those that are not in {@link Column} are ignored.
 *
 * <p>Times without an offset are treated as UTC, because only their differences matter. Rows of steps ({@code 12.batch}), of waiting array
 * tasks ({@code 12_[4-9]}) and repeated headings are not jobs. A row with the state {@code REQUEUED} is an attempt of a job that has, or
 * will have, another row. A job that has not ended has no run time. Users are numbered in the order of
 * their appearance. Not thread-safe.
 */
final class SacctTable implements LogFormat {
    static final String SEPARATOR = "|";

    private static final String FORMAT =
            "JobIDRaw,Submit,Start,End,ElapsedRaw,TimelimitRaw,ReqCPUS,AllocCPUS,State,User";
    private static final Pattern FIELD_END = Pattern.compile(Pattern.quote(SEPARATOR));
    private static final Pattern JOB = Pattern.compile("(\\d{1,10})(?:([_+])(\\d{1,9}))?");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,12}");
    private static final Pattern DURATION =
            Pattern.compile("(?:(\\d{1,6})-)?(?:(\\d{1,6}):)?(\\d{1,6}):(\\d{1,6})(?:\\.\\d*)?");
    private static final Set<String> UNKNOWN =
            Set.of("", "unknown", "none", "n/a", "unlimited", "partition_limit", "invalid");
    private static final Set<String> NOT_ENDED = Set.of("PENDING", "RUNNING", "SUSPENDED", "RESIZING");

    /**
     * The room that a job's number leaves for the index of an array task or, from {@link #FIRST_COMPONENT}, the number of a heterogeneous
     * job's component.
     */
    private static final long MAX_TASKS = 10_000_000_000L;

    private static final long FIRST_COMPONENT = 5_000_000_000L;

    /** The largest number of a job with tasks or components. The numbers of tasks and components of a job with a larger one would overflow. */
    private static final long LARGEST_WHOLE = Long.MAX_VALUE / MAX_TASKS - 1;

    /** The latest valid time in seconds since the epoch, about thirty thousand years. */
    private static final long LATEST = 1_000_000_000_000L;

    private static final long NONE = -1;
    private static final long NO_NUMBER = Long.MIN_VALUE;

    /** The columns that are read, with their names; if several of the names exist, the first counts. */
    private enum Column {
        JOB("JobIDRaw", "JobID"),
        SUBMIT("Submit"),
        START("Start"),
        END("End"),
        SECONDS("ElapsedRaw"),
        ELAPSED("Elapsed"),
        LIMIT_MINUTES("TimelimitRaw"),
        LIMIT("Timelimit"),
        REQUESTED("ReqCPUS"),
        ALLOCATED("AllocCPUS", "NCPUS"),
        STATE("State"),
        USER("User");

        private final List<String> names;

        Column(String... names) {
            this.names = List.of(names);
        }

        private OptionalInt within(List<String> heading) {
            return names.stream()
                    .mapToInt(name -> heading.indexOf(lowerCase(name)))
                    .filter(index -> index >= 0)
                    .findFirst();
        }
    }

    private final String heading;
    private final int fields;
    private final Map<Column, Integer> columns;
    private final Map<String, Long> users = new HashMap<>();

    private SacctTable(String heading, int fields, Map<Column, Integer> columns) {
        this.heading = heading;
        this.fields = fields;
        this.columns = columns;
    }

    /**
     * Reads the heading.
     *
     * @throws UnusableLog made by {@code failure} from a text, if a necessary column is missing
     */
    static SacctTable of(String heading, Function<String, UnusableLog> failure) {
        List<String> names = Arrays.stream(fieldsOf(heading))
                .map(name -> lowerCase(name.strip()))
                .toList();
        Map<Column, Integer> columns = new EnumMap<>(Column.class);
        for (Column column : Column.values()) {
            column.within(names).ifPresent(index -> columns.put(column, index));
        }
        var table = new SacctTable(heading, names.size(), columns);
        List<String> lacking = table.lacking();
        if (!lacking.isEmpty()) {
            throw failure.apply(
                    "its first line has %s in it, like the output of sacct --parsable2, but names no column %s. Print the log again with its heading: sacct -a -X --parsable2 --format=%s"
                            .formatted(SEPARATOR, String.join(", nor ", lacking), FORMAT));
        }
        return table;
    }

    private List<String> lacking() {
        boolean hasRunTime = columns.containsKey(Column.SECONDS)
                || columns.containsKey(Column.ELAPSED)
                || columns.containsKey(Column.START) && columns.containsKey(Column.END);
        boolean hasPes = columns.containsKey(Column.REQUESTED) || columns.containsKey(Column.ALLOCATED);
        return List.of(
                        columns.containsKey(Column.JOB) ? "" : "JobIDRaw or JobID",
                        columns.containsKey(Column.SUBMIT) ? "" : "Submit",
                        hasRunTime ? "" : "ElapsedRaw or Elapsed or Start and End",
                        hasPes ? "" : "ReqCPUS or AllocCPUS")
                .stream()
                .filter(lacking -> !lacking.isEmpty())
                .toList();
    }

    @Override
    public LogEntry read(String line) {
        if (line.equals(heading)) {
            return new LogEntry.Other();
        }
        String[] row = fieldsOf(line);
        if (row.length != fields) {
            return LogFault.WRONG_FIELDS;
        }
        String job = field(row, Column.JOB);
        return job.contains(".") || job.contains("[") ? new LogEntry.Other() : job(row, number(JOB.matcher(job)));
    }

    private LogEntry job(String[] row, long number) {
        long submit = instant(field(row, Column.SUBMIT));
        long runTime = hasEnded(row) ? runTime(row) : NONE;
        long limit = limit(row);
        long allocated = pes(row, Column.ALLOCATED);
        long requested = pes(row, Column.REQUESTED);
        if (LongStream.of(number, submit, runTime, limit, allocated, requested).anyMatch(value -> value == NO_NUMBER)) {
            return LogFault.NO_NUMBER;
        }
        if (submit == NONE) {
            return LogFault.NO_SUBMIT;
        }
        if (submit < 0 || runTime < NONE || limit < NONE) {
            return LogFault.NEGATIVE_TIME;
        }
        return state(row).equals("REQUEUED")
                ? LogFault.ATTEMPT
                : new SwfJob(number, submit, runTime, allocated, requested, limit, user(row));
    }

    private String field(String[] row, Column column) {
        Integer index = columns.get(column);
        return index == null ? "" : row[index].strip();
    }

    /** Returns a unique number, provided that ids are unique: numbers of tasks and components are longer than all others. */
    private static long number(Matcher job) {
        if (!job.matches()) {
            return NO_NUMBER;
        }
        long whole = Long.parseLong(job.group(1));
        String sign = job.group(2);
        if (sign == null) {
            return whole;
        }
        long part = Long.parseLong(job.group(3));
        return whole > LARGEST_WHOLE ? NO_NUMBER : whole * MAX_TASKS + (sign.equals("+") ? FIRST_COMPONENT : 0) + part;
    }

    private String state(String[] row) {
        return field(row, Column.STATE).split(" ", 2)[0];
    }

    private boolean hasEnded(String[] row) {
        String state = state(row);
        return state.isEmpty()
                ? !columns.containsKey(Column.END) || !isUnknown(field(row, Column.END))
                : !NOT_ENDED.contains(state);
    }

    private long runTime(String[] row) {
        String seconds = field(row, Column.SECONDS);
        if (!isUnknown(seconds)) {
            return known(count(seconds));
        }
        String elapsed = field(row, Column.ELAPSED);
        if (!isUnknown(elapsed)) {
            return duration(elapsed);
        }
        long start = instant(field(row, Column.START));
        long end = instant(field(row, Column.END));
        if (start == NO_NUMBER || end == NO_NUMBER) {
            return NO_NUMBER;
        }
        return start == NONE || end == NONE ? NONE : known(end - start);
    }

    private long limit(String[] row) {
        String minutes = field(row, Column.LIMIT_MINUTES);
        String limit = field(row, Column.LIMIT);
        if (!isUnknown(minutes)) {
            long count = count(minutes);
            return count == NO_NUMBER ? NO_NUMBER : 60 * known(count);
        }
        return isUnknown(limit) ? NONE : duration(limit);
    }

    /** Returns the time. A time of -1, which would stand for unknown, becomes -2, which is a fault. */
    private static long known(long time) {
        return time == NONE ? 2 * NONE : time;
    }

    /** Returns the PEs in a column; -1, for unknown, if the column has none or 0. */
    private long pes(String[] row, Column column) {
        String text = field(row, column);
        long count = isUnknown(text) ? NONE : count(text);
        return count == 0 ? NONE : count;
    }

    private long user(String[] row) {
        String name = field(row, Column.USER);
        return isUnknown(name) ? NONE : users.computeIfAbsent(name, _ -> users.size() + 1L);
    }

    private static long count(String text) {
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : NO_NUMBER;
    }

    /** Parses a local time, or a number of seconds since the epoch, and returns seconds since the epoch. Local times count as UTC. */
    private static long instant(String text) {
        if (isUnknown(text)) {
            return NONE;
        }
        if (NUMBER.matcher(text).matches()) {
            return known(Long.parseLong(text));
        }
        try {
            long time = LocalDateTime.parse(text).toEpochSecond(ZoneOffset.UTC);
            return time > LATEST ? NO_NUMBER : known(time);
        } catch (DateTimeParseException e) {
            return NO_NUMBER;
        }
    }

    /** Returns {@code [days-][hours:]minutes:seconds} in seconds, rounded up. */
    private static long duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return NO_NUMBER;
        }
        long whole = ((part(matcher, 1) * 24 + part(matcher, 2)) * 60 + part(matcher, 3)) * 60 + part(matcher, 4);
        return text.matches(".*\\.\\d*[1-9]\\d*") ? whole + 1 : whole;
    }

    private static long part(Matcher matcher, int group) {
        String text = matcher.group(group);
        return text == null ? 0 : Long.parseLong(text);
    }

    private static boolean isUnknown(String text) {
        return UNKNOWN.contains(lowerCase(text));
    }

    private static String lowerCase(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static String[] fieldsOf(String line) {
        return FIELD_END.split(line, -1);
    }

    /** Rows come in the order of their ids. */
    @Override
    public boolean isInOrder() {
        return false;
    }

    /** {@code sacct} prints what it knows of a job at the time, and with {@code --duplicates} each of its runs. */
    @Override
    public boolean hasSeveralRows() {
        return true;
    }
}
