-- The rules of a cluster, in its own row and in one row for each version that an event speaks of.

alter table cluster
    add rating                  numeric(19, 6) not null default 1,
    add labels                  text           not null default '',
    add admission               text           not null default 'OPEN',
    add notice                  bigint         not null default 900,
    add claim_within            bigint,
    add lead_time               bigint         not null default 0,
    add max_duration            bigint,
    add reservable_share        numeric(7, 6)  not null default 1,
    add renegotiation_surcharge numeric(19, 6) not null default 0.1,
    add breach_credit           numeric(19, 6) not null default 1,
    add version                 integer        not null default 0;
comment on column cluster.labels is 'name=value, in order, with commas between';
comment on column cluster.notice is 'seconds';
comment on column cluster.claim_within is 'seconds';
comment on column cluster.lead_time is 'seconds';
comment on column cluster.max_duration is 'seconds';

create table cluster_version (
    cluster                 text           not null references cluster (id),
    version                 integer        not null,
    pes                     integer        not null,
    rating                  numeric(19, 6) not null,
    labels                  text           not null,
    admission               text           not null,
    horizon                 bigint         not null,
    notice                  bigint         not null,
    claim_within            bigint,
    lead_time               bigint         not null,
    max_duration            bigint,
    reservable_share        numeric(7, 6)  not null,
    currency                text           not null,
    price_per_pe_hour       numeric(19, 6) not null,
    premium_factor          numeric(19, 6) not null,
    flexibility_discount    numeric(19, 6) not null,
    lateness_discount       numeric(19, 6) not null,
    lateness_scale          numeric(19, 6) not null,
    renegotiation_surcharge numeric(19, 6) not null,
    breach_credit           numeric(19, 6) not null,
    primary key (cluster, version)
);

create table outage (
    id       uuid primary key,
    cluster  text        not null references cluster (id),
    pes      integer     not null check (pes > 0),
    from_at  timestamptz not null,
    to_at    timestamptz,
    reason   text,
    moved    uuid[]      not null,
    failed   uuid[]      not null,
    ended_at timestamptz,
    check (to_at is null or from_at < to_at)
);
comment on column outage.to_at is 'as planned; null: until it is ended';
comment on column outage.moved is 'the reservations that lost their PEs and were placed anew';
comment on column outage.failed is 'the reservations for which there was no place left';
create index outage_of_cluster on outage (cluster, id);

alter table reservation
    add service_class text not null default 'STANDARD',
    add requires      text not null default '',
    add fix_after     numeric(7, 6),
    add fix_before    bigint,
    add fixes_at      timestamptz,
    add credit        numeric(38, 4),
    add reason        text,
    add claim_by      timestamptz;
-- nothing was moved so far: every place was final from its acceptance
update reservation set fixes_at = created_at;
-- no account was ever classed anew: each is classed as it was when it reserved
update reservation set service_class = account.service_class from account where account.name = reservation.owner;
alter table reservation alter fixes_at set not null;
comment on column reservation.fix_after is 'share of the waiting time';
comment on column reservation.fix_before is 'seconds before the start';
comment on column reservation.fixes_at is 'from when on the provider does not move it';

-- An event may concern the cluster or an outage now; a reservation as it was after the event is there in its own events.
alter table event
    add service_class   text not null default 'STANDARD',
    add requires        text not null default '',
    add fix_after       numeric(7, 6),
    add fix_before      bigint,
    add fixes_at        timestamptz,
    add credit          numeric(38, 4),
    add reason          text,
    add claim_by        timestamptz,
    add cluster_version integer,
    add outage          uuid references outage (id),
    alter reservation drop not null,
    alter owner drop not null,
    alter state drop not null,
    alter scenario drop not null,
    alter ready_time drop not null,
    alter deadline drop not null,
    alter duration drop not null,
    alter pes drop not null,
    alter start_at drop not null,
    alter end_at drop not null,
    alter price drop not null,
    alter currency drop not null,
    alter created_at drop not null,
    alter updated_at drop not null,
    alter version drop not null;
update event set fixes_at = created_at;
update event set service_class = account.service_class from account where account.name = event.owner;
alter table event
    alter service_class drop not null,
    alter service_class drop default,
    alter requires drop not null,
    alter requires drop default,
    add check (num_nonnulls(reservation, outage, cluster_version) = 1),
    add foreign key (cluster, cluster_version) references cluster_version (cluster, version);
-- events are written in the order of time: a summary of each block is enough to find a time, and costs nothing to keep
create index event_in_time on event using brin (at);
create index event_renegotiated on event (reservation, version) where type = 'RENEGOTIATED';

-- Requests that were refused leave no other trace than this.
create table refusal (
    cluster text        not null references cluster (id),
    hour    timestamptz not null,
    code    text        not null,
    number  bigint      not null,
    primary key (cluster, hour, code)
);
