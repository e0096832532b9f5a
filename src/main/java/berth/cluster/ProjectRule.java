package berth.cluster;

/** Under which labels a cluster lets requests be filed. */
public enum ProjectRule {
    /** Any label, whether it is a project or not. */
    ANY,
    /** Only projects that exist. */
    KNOWN
}
