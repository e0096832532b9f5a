package berth.desk;

/** Another process has become the database's only writer; {@code by} names it. */
public record WriterReplaced(String by) {}
