package berth.instances.web;

import berth.instances.Instance;

/** State of an instance. */
public enum InstanceState {
    /** The instance forwards calls to the active instance and takes over when that one ends. */
    STANDBY,
    /** The instance makes the decisions. */
    ACTIVE,
    /** The instance is stopping and lets another one take over. */
    LEAVING;

    static InstanceState of(Instance.State state) {
        return switch (state) {
            case STANDBY -> STANDBY;
            case ACTIVE -> ACTIVE;
            case LEAVING -> LEAVING;
        };
    }
}
