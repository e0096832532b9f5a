package berth.projects;

/**
 * The membership of an account in a project.
 *
 * @param role what the account may do
 * @param origin why it is a member
 */
public record Member(ProjectRole role, MemberOrigin origin) {}
