-- The schedule of a cluster is rebuilt from its live reservations; the availability profile is never stored.

create table cluster (
    id                   text primary key,
    pes                  integer not null check (pes > 0),
    horizon              bigint not null check (horizon > 0),
    currency             text not null,
    price_per_pe_hour    numeric(19, 6) not null,
    premium_factor       numeric(19, 6) not null,
    flexibility_discount numeric(19, 6) not null,
    lateness_discount    numeric(19, 6) not null,
    lateness_scale       numeric(19, 6) not null,
    created_at           timestamptz not null,
    -- the commit protocol: who may write, and how many events are recorded
    writer               uuid,
    epoch                bigint not null,
    sequence             bigint not null
);
comment on column cluster.horizon is 'seconds';
comment on column cluster.writer is 'the process that took the cluster over last';
comment on column cluster.epoch is 'raised by each takeover and each settled doubt; a batch of an older epoch is refused';
comment on column cluster.sequence is 'number of the last recorded event';

create table reservation (
    id              uuid primary key,
    cluster         text not null references cluster (id),
    owner           text not null,
    name            text,
    project         text,
    state           text not null,
    scenario        text not null,
    ready_time      timestamptz not null,
    deadline        timestamptz not null,
    duration        bigint not null check (duration > 0),
    pes             integer not null check (pes > 0),
    budget          numeric(38, 4),
    start_at        timestamptz not null,
    end_at          timestamptz not null,
    price           numeric(38, 4) not null,
    currency        text not null,
    hold_expires_at timestamptz,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    version         integer not null,
    check (ready_time <= start_at and start_at < end_at and end_at <= deadline),
    check ((state = 'HELD') = (hold_expires_at is not null))
);
comment on column reservation.duration is 'seconds';
create index reservation_live on reservation (cluster) where state in ('HELD', 'CONFIRMED', 'RUNNING');
create index reservation_in_time on reservation (cluster, end_at);
create index reservation_of_owner on reservation (owner, id);

-- What happened, in order, per cluster: each row is the reservation as it was after the event.
create table event (
    cluster         text not null references cluster (id),
    sequence        bigint not null,
    type            text not null,
    at              timestamptz not null,
    reservation     uuid not null references reservation (id),
    owner           text not null,
    name            text,
    project         text,
    state           text not null,
    scenario        text not null,
    ready_time      timestamptz not null,
    deadline        timestamptz not null,
    duration        bigint not null,
    pes             integer not null,
    budget          numeric(38, 4),
    start_at        timestamptz not null,
    end_at          timestamptz not null,
    price           numeric(38, 4) not null,
    currency        text not null,
    hold_expires_at timestamptz,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    version         integer not null,
    primary key (cluster, sequence)
);
create index event_of_reservation on event (reservation, sequence);

create table idempotency_key (
    account     text not null,
    key         text not null,
    fingerprint text not null,
    cluster     text not null references cluster (id),
    sequence    bigint not null,
    created_at  timestamptz not null,
    primary key (account, key)
);
comment on table idempotency_key is 'the event that holds the first result; sequence 0 stands for the cluster itself';
create index idempotency_key_age on idempotency_key (created_at);

create table account (
    name          text primary key,
    role          text not null,
    service_class text not null,
    token_hash    text not null unique,
    created_at    timestamptz not null
);
comment on column account.token_hash is 'SHA-256 of the token, hexadecimal';
