-- Groups of the issuer give accounts their roles and make them members of projects.

alter table account
    add column display_name text,
    add column role_by_hand text check (role_by_hand in ('CLIENT', 'VIEWER'));
comment on column account.role_by_hand is 'the role without groups; null: no group gives the account its role';

alter table project add column groups text;
comment on column project.groups is 'the groups whose people are members, as JSON; null: none';

alter table project_member add column origin text check (origin = 'GROUP');
comment on column project_member.origin is 'null: somebody made the account a member by hand';
