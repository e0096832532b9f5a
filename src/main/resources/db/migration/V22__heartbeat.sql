-- when Berth was at work last: how much time has gone by since, a start cannot know from its clock alone
create table heartbeat (
    is_only boolean primary key default true check (is_only),
    at     timestamptz not null,
    boot   text        not null,
    uptime bigint      not null
);
comment on column heartbeat.boot is 'names the start of the machine that it ran on';
comment on column heartbeat.uptime is 'milliseconds since that start';
