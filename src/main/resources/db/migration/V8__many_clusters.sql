-- Requests that name no cluster, and runs on several clusters at one start.

alter table reservation add tried text;
comment on column reservation.tried is 'cluster/start/outcome of what was tried before, with blanks between; null: nothing';
alter table event add tried text;

create table coallocation (
    id           uuid primary key,
    owner        text        not null,
    name         text,
    project      text,
    state        text        not null,
    settled      boolean     not null,
    start_at     timestamptz not null,
    clusters     text[]      not null,
    reservations uuid[]      not null,
    created_at   timestamptz not null,
    updated_at   timestamptz not null
);
comment on column coallocation.settled is 'whether nothing is left to be done about its parts';
comment on column coallocation.clusters is 'of the parts, in the order in which they were asked for';
comment on column coallocation.reservations is 'of the parts, in the same order';
create index coallocation_unsettled on coallocation (created_at) where not settled;

alter table idempotency_key
    alter cluster drop not null,
    add stands_for uuid;
comment on column idempotency_key.stands_for is 'what was made, where that is no event of a cluster';

create table installation (
    id uuid primary key
);
comment on table installation is 'one row: what tells this installation from all others';
insert into installation (id) values (gen_random_uuid());

create table provider (
    id         text primary key,
    url        text        not null,
    token      text        not null,
    cluster    text        not null,
    card       text        not null,
    checked_at timestamptz not null,
    version    integer     not null
);
comment on table provider is 'clusters of other Berths; the token lets this one in there';
comment on column provider.cluster is 'its name there';
comment on column provider.card is 'what it answered when it was asked last';

create table mirror (
    id            uuid primary key,
    cluster       text        not null,
    owner         text        not null,
    service_class text        not null,
    name          text,
    project       text,
    tried         text,
    remote_id     text        not null,
    owed          text        not null,
    answer        text        not null,
    state         text        not null,
    start_at      timestamptz not null,
    end_at        timestamptz not null,
    heard_at      timestamptz not null,
    reachable     boolean     not null,
    created_at    timestamptz not null
);
comment on table mirror is 'reservations at other Berths, as they were when these last told';
comment on column mirror.owed is 'what the other Berth is still to be told';
create index mirror_owing on mirror (created_at) where owed <> 'NOTHING';
create index mirror_owner on mirror (owner, id desc);
