-- The processes of Berth on this database that may take each other's place; one that runs alone is not among them.
create table instance (
    id         uuid primary key,
    name       text not null,
    session    text not null unique,
    url        text not null,
    version    text not null,
    state      text not null check (state in ('STANDBY', 'ACTIVE', 'LEAVING')),
    started_at timestamptz not null,
    beat_at    timestamptz not null
);
comment on column instance.session is 'what its sessions are called in pg_stat_activity';
comment on column instance.beat_at is 'when it was heard of last, by the server''s clock';
