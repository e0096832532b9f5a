package berth.desk;

/** Another process has become the database's only writer; {@code by} says which. */
public record WriterReplaced(String by) {}
