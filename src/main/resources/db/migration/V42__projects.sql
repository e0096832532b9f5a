-- Labels that only the members of a project file under, and what these may do with what is filed there.

create table project (
    id text primary key,
    name text not null,
    created_at timestamptz not null
);
comment on column project.id is 'the label that reservations, series and co-allocations are filed under';

create table project_member (
    project text not null references project,
    account text not null,
    role text not null check (role in ('OWNER', 'MEMBER', 'VIEWER')),
    primary key (project, account)
);
comment on column project_member.account is 'may have been deleted since';
